import type { ChatNotifications, NotificationSettings } from '@parley/contract'
import type { Change } from '../platform/changes.js'
import type { Area } from '../platform/store.js'

export const USUAL: NotificationSettings = {
  level: 'mentions',
  keywords: [],
  quiet_hours: null,
  sound: true,
  mail_digest: 'off',
  mail_language: null,
  chats: [],
}

/** What the person is told of. */
export const notifications: Area<NotificationSettings> = {
  initial: USUAL,
  reduce(state, change: Change) {
    if (change.type === 'started') return change.start.notifications ?? USUAL
    if (change.type === 'notifications') return change.notifications
    if (change.type === 'live' && change.frame.type === 'notifications.changed')
      return (change.frame.payload.notifications as NotificationSettings | undefined) ?? state
    return change.type === 'signed_out' ? USUAL : state
  },
}

/** What is set for a chat; nothing where the general settings hold. */
export function settingsAt({ chats }: NotificationSettings, chatId: number): ChatNotifications {
  return (
    chats.find(({ chat_id }) => chat_id === chatId) ?? { chat_id: chatId, level: null, muted_until: null }
  )
}

/** The settings with those of one chat in place of earlier ones. */
export function withChat(settings: NotificationSettings, chat: ChatNotifications): NotificationSettings {
  const others = settings.chats.filter(({ chat_id }) => chat_id !== chat.chat_id)
  const isSet = chat.level !== null || chat.muted_until !== null
  return { ...settings, chats: isSet ? [...others, chat] : others }
}

/** Chats that tell nothing now. */
export function mutedIds({ chats }: NotificationSettings, now_ms: number): readonly number[] {
  return chats
    .filter(
      ({ level, muted_until }) =>
        level === 'nothing' || (muted_until !== null && Date.parse(muted_until) > now_ms),
    )
    .map(({ chat_id }) => chat_id)
}

/** When the next of them ends being muted. */
export function nextUnmute({ chats }: NotificationSettings, now_ms: number): number | null {
  const ends = chats.map(({ muted_until }) => Date.parse(muted_until ?? '')).filter((at) => at > now_ms)
  return ends.length === 0 ? null : Math.min(...ends)
}
