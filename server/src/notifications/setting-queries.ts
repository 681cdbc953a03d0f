import type { ChatNotifications } from '@parley/contract'
import { type Selectable, sql } from 'kysely'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'

type SettingsRow = Selectable<DB['notification_settings']>
export type ChatSettingsRow = Selectable<DB['chat_notifications']>
export type SettingsChange = Partial<Omit<SettingsRow, 'user_id' | 'digest_sent_at'>>

/** What is kept of a person; chats that the person left are none of it. */
export interface KeptSettings {
  general: Pick<
    SettingsRow,
    'level' | 'keywords' | 'quiet_from' | 'quiet_to' | 'sound' | 'mail_digest' | 'mail_language'
  > | null
  chats: ChatNotifications[]
}

/** The settings of a person as one JSON value. */
export function settingsSql(userId: number) {
  return sql<KeptSettings>`jsonb_build_object(
    'general', (select to_jsonb(s) from notification_settings s where s.user_id = ${userId}),
    'chats', coalesce((
      select jsonb_agg(jsonb_build_object('chat_id', n.chat_id, 'level', n.level, 'muted_until',
        to_char(n.muted_until at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by n.chat_id)
      from chat_notifications n join chat_members m on m.chat_id = n.chat_id and m.user_id = n.user_id
      where n.user_id = ${userId}), '[]'))`
}

export async function findSettings(db: Db, userId: number): Promise<KeptSettings> {
  const [row] = await read(db, sql<{ kept: KeptSettings }>`select ${settingsSql(userId)} as kept`)
  return (row as { kept: KeptSettings }).kept
}

export async function putSettings(tx: Tx, user_id: number, change: SettingsChange) {
  const row = tx.insertInto('notification_settings').values({ user_id, ...change })
  const changes = Object.keys(change).length > 0
  await row
    .onConflict((conflict) =>
      changes ? conflict.column('user_id').doUpdateSet(change) : conflict.column('user_id').doNothing(),
    )
    .execute()
}

export async function putChatSettings(tx: Tx, row: ChatSettingsRow) {
  const { level, muted_until } = row
  await tx
    .insertInto('chat_notifications')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'chat_id']).doUpdateSet({ level, muted_until }))
    .execute()
}

export async function deleteChatSettings(tx: Tx, userId: number, chatId: number) {
  await tx
    .deleteFrom('chat_notifications')
    .where('user_id', '=', userId)
    .where('chat_id', '=', chatId)
    .execute()
}
