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
  | { type: 'close'; chat_id: number; message_id: number }
  | { type: 'test'; nonce: string }
