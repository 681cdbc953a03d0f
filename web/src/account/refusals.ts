import { ApiFailure } from '../platform/api.js'
import { words } from '../platform/i18n.js'

/** The shortest password that the server takes. */
const PASSWORD_AT_LEAST = 8

/** Mail and password fit, and the account asks for its second factor. */
export function needsProof(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === 'second_factor_required'
}

/** Why signing in or anything like it failed, in words. */
export function refusalOf(error: unknown): string {
  const { account, common } = words()
  if (!(error instanceof ApiFailure)) return account.noConnection
  if (error.status === 401) return account.wrong
  if (error.status === 403) return error.code === 'not_authorized' ? account.passwordsOff : account.suspended
  if (error.status === 429)
    return error.retry_after_ms === null
      ? account.tooMany
      : account.tooManyFor(Math.max(1, Math.ceil(error.retry_after_ms / 1000)))
  return common.failed
}

/** What is wrong with a password before it is sent. */
export function passwordFault(password: string): string | undefined {
  const { account } = words()
  if (password === '') return account.emptyPassword
  return [...password].length < PASSWORD_AT_LEAST ? account.shortPassword : undefined
}
