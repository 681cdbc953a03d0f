import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'

/** The next rows of a kind that an import made, by id. */
export async function listMade(db: Db, importId: number, kind: string, limit: number): Promise<number[]> {
  const rows = await read(
    db,
    sql<{ id: number }>`
    select id from import_keys where import_id = ${importId} and kind = ${kind} and made order by id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

export async function deleteKeys(tx: Tx, importId: number, kind: string, ids: readonly number[]) {
  await sql`delete from import_keys where import_id = ${importId} and kind = ${kind} and id = any(${ids}) and made`.execute(
    tx,
  )
}

/** Keys of what was here before, and of objects: nothing was made for them. */
export async function deleteOtherKeys(tx: Tx, importId: number) {
  await sql`delete from import_keys where import_id = ${importId}`.execute(tx)
  await sql`delete from import_objects where import_id = ${importId}`.execute(tx)
}

/** Chats of an import in which somebody has written since, also in threads below its messages. */
export async function listUsedChats(db: Db, importId: number): Promise<{ id: number; name: string }[]> {
  const made = (kind: string, id: string) => sql`
    select from import_keys own where own.import_id = ${importId} and own.kind = ${kind} and own.made and own.id = ${sql.ref(id)}`
  const used = (id: string) => sql`
    select from messages m where m.chat_id = ${sql.ref(id)} and not exists (${made('message', 'm.id')})`
  return read(
    db,
    sql<{ id: number; name: string }>`
    select c.id, c.name from import_keys k join chats c on c.id = k.id
    where k.import_id = ${importId} and k.kind in ('chat', 'thread') and k.made and exists (${used('c.id')})
    union
    select c.id, c.name from import_keys k join threads t on t.message_id = k.id join chats c on c.id = t.message_chat_id
    where k.import_id = ${importId} and k.kind = 'message' and k.made
      and not exists (${made('thread', 't.chat_id')}) and exists (${used('t.chat_id')})
    limit 20`,
  )
}

/** How much of each kind an import made that is still here. */
export async function countMade(db: Db, importId: number): Promise<Record<string, number>> {
  const rows = await read(
    db,
    sql<{ kind: string; count: number }>`
    select kind, count(*) as count from import_keys where import_id = ${importId} and made group by kind
    union all
    select 'file', count(*) from import_keys k join files f on f.message_id = k.id
    where k.import_id = ${importId} and k.kind = 'message' and k.made having count(*) > 0`,
  )
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
}
