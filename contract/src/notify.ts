/** Who is told of a message: one function for the server, which sends pushes, and for the client, which plays sounds. */

export type Level = 'all' | 'mentions' | 'nothing'

/** What a person has set for one chat or thread; null where the person's general settings hold. */
export interface PlaceSettings {
  level: Level | null
  /** Nothing is told before this time, whatever the level. */
  muted_until: string | null
}

export interface NotifyFacts {
  now_ms: number
  user_id: number
  /** The zone in which the quiet hours are meant. */
  time_zone: string
  settings: {
    level: Level
    keywords: readonly string[]
    quiet_hours: { from: string; to: string } | null
  }
  chat: PlaceSettings & { kind: 'conversation' | 'channel' | 'personal' | 'thread' }
  /** The chat of the message that a thread hangs on. */
  parent: PlaceSettings | null
  message: { user_id: number; content: string; mentioned: boolean }
}

/** A message is told unless it is the person's own, its place is muted, it is a quiet hour, or the level leaves it out. */
export function shouldNotify(facts: NotifyFacts): boolean {
  const { user_id, settings, chat, parent, message, now_ms, time_zone } = facts
  if (message.user_id === user_id) return false
  if (isMuted(chat, now_ms) || (parent && isMuted(parent, now_ms))) return false
  if (settings.quiet_hours && isQuiet(settings.quiet_hours, now_ms, time_zone)) return false
  const level = levelOf(facts)
  if (level !== 'mentions') return level === 'all'
  return message.mentioned || hasKeyword(message.content, settings.keywords)
}

/** What decides whether a person is called about a notice. */
export interface NoticeFacts extends Pick<NotifyFacts, 'now_ms' | 'time_zone'> {
  settings: Pick<NotifyFacts['settings'], 'level' | 'quiet_hours'>
  /** The chat that the notice is about, where it is about one. */
  chat: Pick<PlaceSettings, 'muted_until'> | null
}

/** A notice is for one person, as a mention is: it is told unless its chat is muted, it is a quiet hour, or nothing is told. */
export function shouldNotifyOfNotice({ settings, chat, now_ms, time_zone }: NoticeFacts): boolean {
  if (settings.level === 'nothing' || (chat && isMuted(chat, now_ms))) return false
  return !settings.quiet_hours || !isQuiet(settings.quiet_hours, now_ms, time_zone)
}

export function isMuted({ muted_until }: Pick<PlaceSettings, 'muted_until'>, now_ms: number): boolean {
  return muted_until !== null && Date.parse(muted_until) > now_ms
}

/**
 * The level that holds in a chat. Personal chats and followed threads are told whole, unless the person set otherwise or
 * wants nothing at all.
 */
export function levelOf({
  settings,
  chat,
  parent,
}: Pick<NotifyFacts, 'settings' | 'chat' | 'parent'>): Level {
  if (chat.level) return chat.level
  if (settings.level === 'nothing' || parent?.level === 'nothing') return 'nothing'
  return chat.kind === 'personal' || chat.kind === 'thread' ? 'all' : settings.level
}

/** Whether a time of day lies in the quiet hours, which may go past midnight. The end belongs to the day again. */
export function isQuiet(
  { from, to }: { from: string; to: string },
  now_ms: number,
  time_zone: string,
): boolean {
  const time = timeIn(time_zone, now_ms)
  return from <= to ? from <= time && time < to : time >= from || time < to
}

function timeIn(timeZone: string, at_ms: number): string {
  const format = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  return new Intl.DateTimeFormat('en-GB', { ...format, timeZone }).format(at_ms)
}

const LETTER = /[\p{L}\p{N}_]/u

/** Whether a text has one of the words, whole and in any case. */
export function hasKeyword(content: string, keywords: readonly string[]): boolean {
  const text = content.toLocaleLowerCase()
  return keywords.some((keyword) => hasWord(text, keyword.trim().toLocaleLowerCase()))
}

function hasWord(text: string, word: string): boolean {
  if (word === '') return false
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const before = text.slice(0, at).at(-1) ?? ''
    const after = text.slice(at + word.length, at + word.length + 1)
    const joined =
      (LETTER.test(word[0] as string) && LETTER.test(before)) ||
      (LETTER.test(word.at(-1) as string) && LETTER.test(after))
    if (!joined) return true
  }
  return false
}

/** Ids in a notice that say what it is about. */
export interface NoticeSubject {
  task_id?: number
  chat_id?: number | null
  bot_id?: number
  export_id?: number
  draft_id?: number
  approval_id?: number
}

/** The page of the client that a notice is about, below its address; null where there is none. */
export function noticePath(subject: NoticeSubject): string | null {
  const { task_id, chat_id, bot_id, export_id, draft_id, approval_id } = subject
  if (approval_id) return '/settings/approvals'
  if (task_id) return `/tasks?task=${task_id}`
  if (bot_id) return `/bots/${bot_id}/webhook`
  if (export_id) return '/admin/exports'
  if (draft_id) return '/later'
  return chat_id ? `/chats/${chat_id}` : null
}

/** What the service worker gets. */
export type Push =
  | {
      type: 'message'
      chat_id: number
      message_id: number
      /** Where a click leads, below the address of the client. */
      path: string
      author: string
      /** Null in a personal chat. */
      chat: string | null
      text: string
      file_names: string | null
      silent: boolean
    }
  | {
      type: 'notice'
      notice_id: number
      /** What it is about, such as `task.due`; the browser has the words. */
      kind: string
      text: string
      path: string
      /** Chosen by the person; null for the language of the browser. */
      language: string | null
      silent: boolean
    }
  | { type: 'close'; chat_id: number; message_id: number }
  | { type: 'close_notices'; notice_ids: number[] }
  | { type: 'test'; nonce: string }
