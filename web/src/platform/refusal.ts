import { ApiFailure, ConnectionFailure } from './api.js'
import { words } from './i18n.js'

/** The person has uploaded as much as they may for now. */
export function isQuotaFull(error: unknown): boolean {
  return error instanceof ApiFailure && error.code === 'QuotaExceeded'
}

/** Says why a call failed, where the screen has no better words of its own. */
export function refusalText(error: unknown): string {
  const { common } = words()
  if (error instanceof ConnectionFailure) return common.unreachable
  if (!(error instanceof ApiFailure)) return common.failed
  // A proxy says so of the server behind it.
  if (error.status === 502 || error.status === 504) return common.unreachable
  if (isQuotaFull(error)) return common.quotaFull
  if (error.status === 403) return common.notAllowed
  if (error.status === 404 || error.status === 410) return common.gone
  if (error.status === 429) return common.tooOften
  if (error.status < 500) return common.notAccepted
  return common.failed
}
