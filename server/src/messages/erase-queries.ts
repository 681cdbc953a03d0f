import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'

/** Reactions, pins and mentions of these messages. */
export async function deleteMarks(tx: Tx, ids: readonly number[]) {
  await sql`delete from reactions where message_id = any(${ids})`.execute(tx)
  await sql`delete from pins where message_id = any(${ids})`.execute(tx)
  await sql`delete from mentions where message_id = any(${ids})`.execute(tx)
}

/** Removes the rows; gives the highest number that was removed in each chat. */
export async function deleteMessages(
  tx: Tx,
  ids: readonly number[],
): Promise<{ chat_id: number; number: number }[]> {
  const { rows } = await sql<{ chat_id: number; number: number }>`
    with removed as (delete from messages where id = any(${ids}) returning chat_id, number)
    select chat_id, max(number) as number from removed where number is not null group by chat_id`.execute(tx)
  return rows
}

/** A message with a thread stays as an empty stub, so that the thread still hangs on something. */
export async function emptyMessages(tx: Tx, ids: readonly number[], now: Date) {
  await sql`
    update messages set content = '', buttons = null, display_name = null, display_avatar_url = null,
      forwarding = null, has_files = false, deleted_at = coalesce(deleted_at, ${now})
    where id = any(${ids})`.execute(tx)
}
