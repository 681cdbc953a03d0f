import { type Insertable, sql } from 'kysely'
import { type Autocommit, type DB, read, type Tx } from '../platform/db/index.js'
import { CLI_CLIENT_ID } from './clients.js'

export interface UsedRefreshToken {
  token_id: number
  kind: string
  client_id: string
  resource: string | null
  /** Somebody used it before. */
  replayed: boolean
}

export async function insertRefreshToken(tx: Tx, token: Insertable<DB['refresh_tokens']>) {
  await tx.insertInto('refresh_tokens').values(token).execute()
}

/** A refresh token with what it renews. */
export async function lockRefreshToken(tx: Tx, hash: Buffer): Promise<UsedRefreshToken | undefined> {
  const rows = await read(
    tx,
    sql<UsedRefreshToken>`
    select t.id as token_id, t.kind, t.resource, r.used_at is not null as replayed,
      case t.kind when 'cli' then ${CLI_CLIENT_ID} else b.oauth_client ->> 'client_id' end as client_id
    from refresh_tokens r join tokens t on t.id = r.token_id
      left join oauth_grants g on g.token_id = t.id left join bots b on b.user_id = g.bot_id
    where r.hash = ${hash} for update of r`,
  )
  return rows[0]
}

export async function markRefreshUsed(tx: Tx, hash: Buffer, used_at: Date) {
  await tx
    .updateTable('refresh_tokens')
    .set({ used_at })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .execute()
}

export async function dropUsedRefreshTokens(db: Autocommit, before: Date) {
  await db.deleteFrom('refresh_tokens').where('used_at', '<', before).execute()
}
