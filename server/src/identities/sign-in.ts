import type { SignInRefusalCode } from '@parley/contract'
import { callerOf, type OpenedSession, startSession } from '../accounts/sessions.js'
import { now } from '../platform/clock.js'
import { transaction } from '../platform/db/transaction.js'
import { translated } from '../platform/http/reply-problem.js'
import { setSessionCookie } from '../platform/http/session-cookie.js'
import { Problem } from '../platform/problem.js'
import { seal } from '../platform/seal.js'
import { welcome } from './account.js'
import { begin, causes, comeBack, type Returned, type Visit } from './authorize.js'
import { insertProviderSession } from './identity-queries.js'
import { settleIntent } from './intents.js'
import { takePending } from './pending.js'
import { updateProvider } from './provider-queries.js'
import { SignInRefusal } from './refusal.js'

export const idTokenPurpose = (tokenId: number) => `id token\0${tokenId}`

async function openFor({ ctx, request }: Visit, returned: Returned): Promise<OpenedSession> {
  const { provider, stranger, claims, id_token } = returned
  const caller = callerOf(request)
  return transaction(ctx, async (tx) => {
    const user = await welcome({ tx, ctx, caller, provider, stranger })
    const { token_id, session } = await startSession(tx, ctx, caller, user)
    await insertProviderSession(tx, {
      token_id,
      provider_id: provider.id,
      subject: stranger.subject,
      sid: typeof claims.sid === 'string' ? claims.sid : null,
      sealed_id_token: seal(ctx.secret, idTokenPurpose(token_id), id_token),
    })
    await updateProvider(tx, provider.id, { last_used_at: now(ctx.clock) })
    return session
  })
}

const BY_CODE: Partial<Record<string, SignInRefusalCode>> = {
  licenses_limit: 'licences',
  access_denied: 'suspended',
}

/** Leads to a page of the client, which says why. */
function refused({ ctx, slug }: Visit, thrown: unknown, path: string): string {
  const error = translated(thrown as Error)
  const refusal =
    error instanceof Problem ? new SignInRefusal(BY_CODE[error.code] ?? 'failed', { cause: error }) : error
  if (!(refusal instanceof SignInRefusal)) throw thrown
  const reasons = [...causes(refusal.cause)].map(({ message }) => message)
  ctx.log.warn(
    { provider: slug, refusal: refusal.code, reasons },
    'sign-in through an identity provider failed',
  )
  const url = new URL(ctx.config.app_url + path)
  url.searchParams.set('refused', refusal.code)
  return url.href
}

const SIGN_IN_PAGE = '/sign-in'

function redirect({ reply }: Visit, location: string) {
  reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer')
  return reply.redirect(location, 302)
}

export async function beginSignIn(visit: Visit, to: string | undefined) {
  return redirect(visit, await begin(visit, { to }).catch((error) => refused(visit, error, SIGN_IN_PAGE)))
}

/** The way back from a provider: a session, or what a person who has one went there for. */
export async function finishSignIn(visit: Visit) {
  const { ctx, request, reply, slug } = visit
  const pending = takePending(ctx, request, reply, slug)
  try {
    if (!pending) throw new SignInRefusal('expired')
    const returned = await comeBack(visit, pending)
    if (pending.intent) await settleIntent(visit, pending, returned)
    else setSessionCookie(ctx, reply, (await openFor(visit, returned)).token)
    return redirect(visit, ctx.config.app_url + pending.to)
  } catch (error) {
    return redirect(visit, refused(visit, error, pending?.intent ? pending.to : SIGN_IN_PAGE))
  }
}
