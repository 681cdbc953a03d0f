import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../platform/context.js'
import type { Db, Tx } from '../platform/db/index.js'
import { HOUR_MS } from '../platform/time.js'
import { findReset, putReset, type Reset } from './password-reset-queries.js'

const LIFETIME_MS = HOUR_MS
/** A second request within this time sends no second mail. */
const ONE_LETTER_IN_MS = 60_000

/** Made from the mail and the password too: when either changes, the link is over. */
function mac(secret: Buffer, { user_id, nonce, email, password_hash }: Reset): Buffer {
  const about = ['reset', user_id, nonce, email.toLowerCase(), password_hash]
  return createHmac('sha256', secret).update(about.join('\n')).digest()
}

export function resetUrl(ctx: Context, reset: Reset): string {
  return `${ctx.config.app_url}/reset/${reset.user_id}.${mac(ctx.secret, reset).toString('base64url')}`
}

/** A new link for the account with this mail, which ends the one before; none for those who could not sign in. */
export function makeReset(tx: Tx, ctx: Context, email: string): Promise<Reset | undefined> {
  const now = ctx.clock.now()
  return putReset(tx, {
    email,
    nonce: randomBytes(16).toString('base64url'),
    now: new Date(now),
    expires_at: new Date(now + LIFETIME_MS),
    unless_since: new Date(now - ONE_LETTER_IN_MS),
  })
}

/** The reset behind a link; undefined where it was used, replaced or is over. */
export async function openReset(ctx: Context, db: Db, token: string): Promise<Reset | undefined> {
  const [, id, proof = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
  const reset = id && (await findReset(db, Number(id), new Date(ctx.clock.now())))
  return reset && timingSafeEqual(Buffer.from(proof, 'base64url'), mac(ctx.secret, reset)) ? reset : undefined
}
