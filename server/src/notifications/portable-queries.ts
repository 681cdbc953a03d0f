import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { JsonRow } from '../platform/db/json-row.js'

/** Settings of people as a portable file has them, in place of what there is. */
export async function insertPortableNotifications(
  tx: Tx,
  settings: readonly JsonRow<'notification_settings'>[],
) {
  if (settings.length === 0) return
  await sql`
    insert into notification_settings
      (user_id, level, keywords, quiet_from, quiet_to, sound, mail_digest, mail_language, digest_sent_at)
    select user_id, level, keywords, quiet_from, quiet_to, sound, mail_digest, mail_language, digest_sent_at
    from jsonb_populate_recordset(null::notification_settings, ${JSON.stringify(settings)}::jsonb)
    on conflict (user_id) do update set level = excluded.level, keywords = excluded.keywords,
      quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, sound = excluded.sound,
      mail_digest = excluded.mail_digest, mail_language = excluded.mail_language,
      digest_sent_at = excluded.digest_sent_at`.execute(tx)
}

export async function insertPortableChatNotifications(
  tx: Tx,
  settings: readonly JsonRow<'chat_notifications'>[],
) {
  if (settings.length === 0) return
  await sql`
    insert into chat_notifications (user_id, chat_id, level, muted_until)
    select user_id, chat_id, level, muted_until
    from jsonb_populate_recordset(null::chat_notifications, ${JSON.stringify(settings)}::jsonb)
    on conflict do nothing`.execute(tx)
}
