import { sql } from 'kysely'
import type { Db, Tx } from '../platform/db/index.js'

export async function listBoundTagIds(db: Db, chatId: number): Promise<number[]> {
  const rows = await db.selectFrom('chat_tags').select('tag_id').where('chat_id', '=', chatId).execute()
  return rows.map(({ tag_id }) => tag_id)
}

export async function listBoundChatIds(db: Db, tagId: number): Promise<number[]> {
  const rows = await db.selectFrom('chat_tags').select('chat_id').where('tag_id', '=', tagId).execute()
  return rows.map(({ chat_id }) => chat_id)
}

/** Binds tags; gives those that were not bound before. */
export async function bindTagRows(tx: Tx, chatId: number, tagIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ tag_id: number }>`
    insert into chat_tags (chat_id, tag_id) select ${chatId}, tag_id from unnest(${tagIds}::bigint[]) as tag_id
    on conflict do nothing returning tag_id`.execute(tx)
  return rows.map(({ tag_id }) => tag_id)
}

/** Unbinds tags; gives those that were bound. */
export async function unbindTagRows(tx: Tx, chatId: number, tagIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ tag_id: number }>`
    delete from chat_tags where chat_id = ${chatId} and tag_id = any(${tagIds}::bigint[]) returning tag_id`.execute(
    tx,
  )
  return rows.map(({ tag_id }) => tag_id)
}
