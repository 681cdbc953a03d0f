import { isDeepStrictEqual } from 'node:util'
import {
  type ChatNotifications,
  type MailDigest,
  type NotificationLevel,
  type NotificationSettings,
  type NotificationSettingsUpdate,
  notificationsChanged,
} from '@parley/contract'
import { findChatFor } from '../chats/queries.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Db, Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { TIME } from '../platform/http/fault-text.js'
import { found, Problem } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'
import {
  deleteChatSettings,
  findSettings,
  type KeptSettings,
  putChatSettings,
  putSettings,
  type SettingsChange,
} from './setting-queries.js'

/** What holds for people who have set nothing. */
export const USUAL = {
  level: 'mentions',
  keywords: [] as string[],
  quiet_hours: null,
  sound: true,
  mail_digest: 'off',
  mail_language: null,
} as const

export function presentSettings({ general, chats }: KeptSettings): NotificationSettings {
  return { ...USUAL, ...(general && presentGeneral(general)), chats }
}

function presentGeneral(kept: NonNullable<KeptSettings['general']>) {
  const { level, keywords, quiet_from, quiet_to, sound, mail_digest, mail_language } = kept
  return {
    level: level as NotificationLevel,
    keywords,
    quiet_hours: quiet_from !== null && quiet_to !== null ? { from: quiet_from, to: quiet_to } : null,
    sound,
    mail_digest: mail_digest as MailDigest,
    mail_language: mail_language as NotificationSettings['mail_language'],
  }
}

export async function readSettings(db: Db, userId: number): Promise<NotificationSettings> {
  return presentSettings(await findSettings(db, userId))
}

/** Changes settings, reads them as they now are, and has the other devices of the person hear what changed. */
async function changeSettings(
  tx: Tx,
  ctx: Context,
  actor: Pick<Actor, 'user_id'>,
  change: () => Promise<unknown>,
): Promise<NotificationSettings> {
  const { user_id } = actor
  const before = await readSettings(tx, user_id)
  await change()
  const notifications = await readSettings(tx, user_id)
  if (isDeepStrictEqual(notifications, before)) return notifications
  await emit(tx, ctx, actor, notificationsChanged, { user_id, notifications })
  return notifications
}

function cleaned(keywords: readonly string[]): string[] {
  return [...new Set(keywords.map((word) => word.trim()).filter((word) => word !== ''))]
}

function columnsOf({ quiet_hours, keywords, ...change }: NotificationSettingsUpdate): SettingsChange {
  return {
    ...change,
    ...(keywords && { keywords: cleaned(keywords) }),
    ...(quiet_hours !== undefined && {
      quiet_from: quiet_hours?.from ?? null,
      quiet_to: quiet_hours?.to ?? null,
    }),
  }
}

export function updateSettings(
  ctx: Context,
  actor: Pick<Actor, 'user_id'>,
  change: NotificationSettingsUpdate,
): Promise<NotificationSettings> {
  return transaction(ctx, (tx) =>
    changeSettings(tx, ctx, actor, () => putSettings(tx, actor.user_id, columnsOf(change))),
  )
}

interface ChatChange {
  level: NotificationLevel | null
  muted_until: string | null
}

export function setChatNotifications(
  ctx: Context,
  actor: Actor,
  chatId: number,
  { level, muted_until: until }: ChatChange,
): Promise<ChatNotifications> {
  const muted_until = until === null ? null : timeOf(until)
  const row = { user_id: actor.user_id, chat_id: chatId, level, muted_until }
  return transaction(ctx, async (tx) => {
    const chat = await findChatFor(tx, actor, chatId)
    found(chat?.my_role, { key: 'id', value: chatId })
    await changeSettings(tx, ctx, actor, () =>
      level === null && muted_until === null
        ? deleteChatSettings(tx, actor.user_id, chatId)
        : putChatSettings(tx, row),
    )
    return { chat_id: chatId, level, muted_until: muted_until?.toISOString() ?? null }
  })
}

function timeOf(text: string): Date {
  const time = parseTime(text)
  if (!time) throw new Problem(422, 'invalid', { key: 'muted_until', value: text, message: TIME })
  return time
}
