import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../platform/context.js'
import { type Autocommit, type Db, read, type Tx } from '../platform/db/index.js'

const LIFETIME_MS = 3_600_000
/** Whoever asks again sooner waits for the letter that is on its way. */
const ONE_LETTER_IN_MS = 60_000

export interface Reset {
  user_id: number
  nonce: string
  expires_at: Date
  email: string
  password_hash: string
}

/** Made from the mail and the password too: when either changes, the link is over. */
function mac(secret: Buffer, { user_id, nonce, email, password_hash }: Reset): Buffer {
  const about = ['reset', user_id, nonce, email.toLowerCase(), password_hash]
  return createHmac('sha256', secret).update(about.join('\n')).digest()
}

export function resetUrl(ctx: Context, reset: Reset): string {
  return `${ctx.config.app_url}/reset/${reset.user_id}.${mac(ctx.secret, reset).toString('base64url')}`
}

/** A new link for the account with this mail, which ends the one before; none for those who could not sign in. */
export async function makeReset(tx: Tx, ctx: Context, email: string): Promise<Reset | undefined> {
  const now = ctx.clock.now()
  const { rows } = await sql<Reset>`
    with account as (
      select id, email, password_hash from users
      where lower(email) = lower(${email}) and deleted_at is null and not bot and not suspended
        and password_hash is not null
    ), made as (
      insert into password_resets (user_id, nonce, created_at, expires_at)
      select id, ${randomBytes(16).toString('base64url')}, ${new Date(now)}, ${new Date(now + LIFETIME_MS)} from account
      on conflict (user_id) do update set nonce = excluded.nonce, created_at = excluded.created_at,
        expires_at = excluded.expires_at
      where password_resets.created_at <= ${new Date(now - ONE_LETTER_IN_MS)}
      returning user_id, nonce, expires_at
    )
    select made.*, account.email, account.password_hash from made join account on account.id = made.user_id`.execute(
    tx,
  )
  return rows[0]
}

/** The reset behind a link; undefined where it was used, replaced or is over. */
export async function openReset(ctx: Context, db: Db, token: string): Promise<Reset | undefined> {
  const [, id, proof = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
  if (!id) return undefined
  const rows = await read(
    db,
    sql<Reset>`
    select r.user_id, r.nonce, r.expires_at, u.email, u.password_hash
    from password_resets r join users u on u.id = r.user_id
    where r.user_id = ${Number(id)} and r.expires_at > ${new Date(ctx.clock.now())}
      and u.deleted_at is null and u.email is not null and u.password_hash is not null`,
  )
  const reset = rows[0]
  return reset && timingSafeEqual(Buffer.from(proof, 'base64url'), mac(ctx.secret, reset)) ? reset : undefined
}

export async function deleteReset(tx: Tx, userId: number) {
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}

export async function dropOverResets(db: Autocommit, now: Date) {
  await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
}
