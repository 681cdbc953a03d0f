import type { TokenLimits } from '@parley/contract'
import { sql } from 'kysely'
import type { Autocommit, Db, Tx } from '../db/index.js'
import { read } from '../db/index.js'

/** From here on the transaction sees the chats of the limits alone. */
export async function confine(tx: Tx, limits: TokenLimits) {
  await sql`select set_config('search_path', 'leash, public', true),
    set_config('parley.leash', ${JSON.stringify(limits)}, true)`.execute(tx)
}

/** Counts a write; undefined where the day is full. The row is the lock, so that parallel writes count one by one. */
export async function takeWrite(
  db: Autocommit,
  token_id: number,
  day: string,
  limit: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ writes: number }>`
    insert into token_writes as w (token_id, day, writes) select ${token_id}, ${day}, 1 where ${limit} > 0
    on conflict (token_id, day) do update set writes = w.writes + 1 where w.writes < ${limit}
    returning writes`.execute(db)
  return rows[0]?.writes
}

export async function returnWrite(db: Autocommit, token_id: number, day: string) {
  await sql`update token_writes set writes = writes - 1 where token_id = ${token_id} and day = ${day}`.execute(
    db,
  )
}

export async function deleteOldWrites(db: Autocommit, before: Date) {
  await sql`delete from token_writes where day < ${before}`.execute(db)
}

/** Those of the chats that the transaction sees. */
export async function listSeenChats(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await read(db, sql<{ id: number }>`select id from chats where id = any(${[...ids]})`)
  return new Set(rows.map(({ id }) => id))
}
