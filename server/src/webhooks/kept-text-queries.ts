import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'

/**
 * Deliveries and queue entries of these messages become the deletion; news of their links is called off. What was not
 * delivered yet is not sent any more: the receiver hears of the deletion from its own event.
 */
export async function withdrawTexts(tx: Tx, ids: readonly number[]) {
  await sql`
    update deliveries set
      state = case when state = 'pending' then 'cancelled' else state end,
      payload = case event_type when 'message_link_shared' then payload::jsonb || '{"links": []}'
        else payload::jsonb || '{"event": "delete", "content": ""}' end,
      event_type = case event_type when 'message_link_shared' then event_type else 'message_delete' end
    where message_id = any(${ids})`.execute(tx)
  await sql`
    delete from queued_events
    where event_type = 'message_link_shared' and message_id = any(${ids})`.execute(tx)
  await sql`
    delete from queued_events earlier using queued_events later
    where earlier.message_id = any(${ids}) and later.bot_id = earlier.bot_id
      and later.message_id = earlier.message_id and later.sequence > earlier.sequence`.execute(tx)
  await sql`
    update queued_events set event_type = 'message_delete',
      payload = payload::jsonb || '{"event": "delete", "content": ""}'
    where message_id = any(${ids})`.execute(tx)
}

/** Drops the entries that became the deletion of a message from the queues that get the deletion itself. */
export async function dropWithdrawn(tx: Tx, deletions: readonly { bot_id: number; message_id: number }[]) {
  await sql`
    delete from queued_events using unnest(
      ${deletions.map(({ bot_id }) => bot_id)}::bigint[], ${deletions.map(({ message_id }) => message_id)}::bigint[]
    ) as deletion (bot_id, message_id)
    where queued_events.bot_id = deletion.bot_id and queued_events.message_id = deletion.message_id`.execute(
    tx,
  )
}

/** Deliveries and queue entries of these messages get the current text, and only those links that are still in it. */
export async function replaceTexts(tx: Tx, texts: ReadonlyMap<number, string>) {
  const [ids, contents] = [[...texts.keys()], [...texts.values()]]
  for (const table of ['deliveries', 'queued_events'])
    await sql`
      update ${sql.table(table)} as kept set payload = case event_type
        when 'message_link_shared' then payload::jsonb || jsonb_build_object('links', (
          select coalesce(jsonb_agg(link), '[]') from jsonb_array_elements(payload::jsonb -> 'links') as link
          where position(link ->> 'url' in given.content) > 0))
        else payload::jsonb || jsonb_build_object('content', given.content) end
      from unnest(${ids}::bigint[], ${contents}::text[]) as given (id, content)
      where kept.message_id = given.id and event_type <> 'message_delete'`.execute(tx)
}
