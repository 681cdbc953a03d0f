import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { JsonRow } from '../platform/db/json-row.js'

/** Drafts and schedules; gives the ids of those whose place was free. */
export async function insertPortableDrafts(
  tx: Tx,
  drafts: readonly JsonRow<'drafts'>[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    insert into drafts (id, user_id, chat_id, to_user_id, content, parent_message_id, interval, start_date, end_date, days,
      nth_day, next_send_at, due_at, failures, utc_offset, time_zone, created_at, updated_at)
    select id, user_id, chat_id, to_user_id, content, parent_message_id, interval, start_date, end_date, days,
      nth_day, next_send_at, due_at, failures, utc_offset, time_zone, created_at, updated_at
    from jsonb_populate_recordset(null::drafts, ${JSON.stringify(drafts)}::jsonb)
    on conflict do nothing returning id`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

export async function deletePortableDrafts(tx: Tx, ids: readonly number[]) {
  await sql`delete from drafts where id = any(${ids})`.execute(tx)
}
