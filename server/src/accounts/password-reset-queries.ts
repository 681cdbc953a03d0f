import { sql } from 'kysely'
import { type Autocommit, type Db, read, type Tx } from '../platform/db/index.js'

export interface Reset {
  user_id: number
  nonce: string
  expires_at: Date
  email: string
  password_hash: string
}

interface NewReset {
  email: string
  nonce: string
  now: Date
  expires_at: Date
  /** A reset made after this stays as it is. */
  unless_since: Date
}

/** Keeps a reset for the account with this mail in place of an earlier one; none for those who could not sign in. */
export async function putReset(
  tx: Tx,
  { email, nonce, now, expires_at, unless_since }: NewReset,
): Promise<Reset | undefined> {
  const { rows } = await sql<Reset>`
    with account as (
      select id, email, password_hash from users
      where lower(email) = lower(${email}) and deleted_at is null and not bot and not suspended
        and password_hash is not null
    ), made as (
      insert into password_resets (user_id, nonce, created_at, expires_at)
      select id, ${nonce}, ${now}, ${expires_at} from account
      on conflict (user_id) do update set nonce = excluded.nonce, created_at = excluded.created_at,
        expires_at = excluded.expires_at
      where password_resets.created_at <= ${unless_since}
      returning user_id, nonce, expires_at
    )
    select made.*, account.email, account.password_hash from made join account on account.id = made.user_id`.execute(
    tx,
  )
  return rows[0]
}

/** The reset of this account, unless it is over. */
export async function findReset(db: Db, userId: number, now: Date): Promise<Reset | undefined> {
  const rows = await read(
    db,
    sql<Reset>`
    select r.user_id, r.nonce, r.expires_at, u.email, u.password_hash
    from password_resets r join users u on u.id = r.user_id
    where r.user_id = ${userId} and r.expires_at > ${now}
      and u.deleted_at is null and u.email is not null and u.password_hash is not null`,
  )
  return rows[0]
}

export async function deleteReset(tx: Tx, userId: number) {
  await tx.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}

export async function deleteExpiredResets(db: Autocommit, now: Date) {
  await db.deleteFrom('password_resets').where('expires_at', '<=', now).execute()
}
