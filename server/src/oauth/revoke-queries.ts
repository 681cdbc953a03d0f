import { sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { read, type Tx } from '../platform/db/index.js'
import { CLI_CLIENT_ID } from './clients.js'

export interface Revocable {
  id: number
  user_id: number
  client_id: string | null
  confidential: boolean
  plan: Actor['plan']
}

/** The token behind a value, which may be its own or that of a refresh token. */
export async function findRevocable(tx: Tx, hash: Buffer): Promise<Revocable | undefined> {
  const rows = await read(
    tx,
    sql<Revocable>`
    select t.id, t.user_id, w.plan, coalesce((b.oauth_client ->> 'confidential')::boolean, false) as confidential,
      case t.kind when 'cli' then ${CLI_CLIENT_ID} else b.oauth_client ->> 'client_id' end as client_id
    from tokens t cross join workspace w
      left join oauth_grants g on g.token_id = t.id left join bots b on b.user_id = g.bot_id
    where t.id in (select id from tokens where hash = ${hash}
      union all select token_id from refresh_tokens where hash = ${hash})`,
  )
  return rows[0]
}

/** Ends a token and says whose it was, on which plan; undefined where it is gone. */
export async function endToken(
  tx: Tx,
  tokenId: number,
): Promise<{ user_id: number; plan: Actor['plan'] } | undefined> {
  const { rows } = await sql<{ user_id: number; plan: Actor['plan'] }>`
    delete from tokens t using workspace w where t.id = ${tokenId} returning t.user_id, w.plan`.execute(tx)
  return rows[0]
}
