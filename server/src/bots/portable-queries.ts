import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { JsonRow } from '../platform/db/json-row.js'

/** Settings of bots of a portable file, with secrets of this server. */
export async function insertPortableBots(tx: Tx, bots: readonly JsonRow<'bots'>[]) {
  if (bots.length === 0) return
  await sql`
    insert into bots (user_id, creator_id, outgoing_url, events, trigger_on, commands, template, template_engine,
      link_preview_enabled, ignore_self_messages, events_history_enabled, single_chat, can_edit, who_can_add, kind,
      unfurl_domains, promo, signing_secret, inbound_key)
    select user_id, creator_id, outgoing_url, events, trigger_on, commands, template, template_engine,
      link_preview_enabled, ignore_self_messages, events_history_enabled, single_chat, can_edit, who_can_add, kind,
      unfurl_domains, promo, signing_secret, inbound_key
    from jsonb_populate_recordset(null::bots, ${JSON.stringify(bots)}::jsonb)`.execute(tx)
}
