import type { Readable } from 'node:stream'
import type { PortableKind } from './portable/records.js'
import type { RichText } from './text/rich-text.js'

/**
 * What every source is read into, before it is written. Ids are those of the source; times are microseconds since 1970,
 * since messages of one second have an order.
 */
export type ImportRecord =
  | PersonRecord
  | BotRecord
  | TagRecord
  | TagMemberRecord
  | PropertyRecord
  | PropertyValueRecord
  | FileRecord
  | ChatRecord
  | ChatMemberRecord
  | MessageRecord
  | ReactionRecord
  | PinRecord
  | ThreadFollowerRecord

export type RecordKind = ImportRecord['kind'] | PortableKind

export const RECORD_KINDS = [
  'person',
  'bot',
  'tag',
  'tag_member',
  'property',
  'property_value',
  'file',
  'chat',
  'chat_member',
  'message',
  'reaction',
  'pin',
  'thread_follower',
] as const satisfies readonly RecordKind[]

export interface PersonRecord {
  kind: 'person'
  id: string
  /** What the nickname is made of. */
  handle: string
  first_name: string
  last_name: string | null
  email: string | null
  title: string | null
  phone: string | null
  time_zone: string | null
  role: 'admin' | 'user' | 'multi_guest' | 'guest'
  /** A placeholder is known as an author alone. */
  state: 'active' | 'suspended' | 'placeholder'
  created_at: number | null
  /** The picture, as a path that the source opens. */
  picture?: string
}

export interface BotRecord {
  kind: 'bot'
  id: string
  handle: string
  name: string
  /** The picture, as a path that the source opens. */
  picture?: string
}

export interface TagRecord {
  kind: 'tag'
  id: string
  name: string
}

export interface TagMemberRecord {
  kind: 'tag_member'
  tag_id: string
  person_id: string
}

export interface PropertyRecord {
  kind: 'property'
  id: string
  name: string
  data_type: 'string' | 'number' | 'date' | 'link'
}

export interface PropertyValueRecord {
  kind: 'property_value'
  property_id: string
  person_id: string
  value: string
}

export interface FileRecord {
  kind: 'file'
  id: string
  name: string
  media_type: string | null
  size: number | null
  owner_id: string | null
  created_at: number | null
  /** The entry of the archive that holds the bytes; null where it holds none. */
  path: string | null
  /** Why there are no bytes. */
  missing: string | null
  /** Where the bytes can be fetched from, without the secrets that such addresses carry. */
  url?: string
}

export interface ChatRecord {
  kind: 'chat'
  id: string
  type: 'conversation' | 'channel' | 'personal'
  name: string
  description: string | null
  public: boolean
  owner_id: string | null
  /** Of a personal chat: whose it is, one or two people. */
  people: string[]
  archived: boolean
  archived_at: number | null
  created_at: number | null
}

export interface ChatMemberRecord {
  kind: 'chat_member'
  chat_id: string
  person_id: string
  role: 'admin' | 'editor' | 'member'
}

export interface MessageRecord {
  kind: 'message'
  id: string
  chat_id: string
  /** The message whose thread it belongs to; null in the chat itself. */
  thread_of: string | null
  author_id: string
  at: number
  edited_at: number | null
  text: RichText
  files: string[]
  display_name: string | null
  display_avatar_url: string | null
  system: boolean
  deleted: boolean
  /** The message that it shows again. */
  forward_of: string | null
  /** The message that it answers. */
  reply_to?: ReplyTo
}

export interface ReplyTo {
  id: string
  /** What is put above the text where that message cannot be answered: it is missing, or in another chat. */
  otherwise: RichText
}

export interface ReactionRecord {
  kind: 'reaction'
  message_id: string
  person_id: string
  /** An emoji, or the name of one of the workspace's own, with colons. */
  emoji: string
  /** Null where the source does not have it: then it is the time of the message. */
  at: number | null
}

export interface PinRecord {
  kind: 'pin'
  message_id: string
  chat_id: string
  person_id: string | null
  at: number | null
}

/** Somebody who follows the thread below a message without having written in it. */
export interface ThreadFollowerRecord {
  kind: 'thread_follower'
  message_id: string
  person_id: string
}

/** What was read and is not written, or not as it was. */
export interface Remark {
  kind: 'skipped' | 'lost' | 'warning'
  of: RecordKind | 'entry'
  /** One short sentence; remarks are counted by it. */
  reason: string
  id: string
}

/** A source, opened. Records of a kind come after all that they name, messages in any order of time. */
export interface Source<R = ImportRecord> {
  name: 'slack' | 'mattermost' | 'zulip' | 'rocketchat' | 'portable'
  /** What identifies a workspace of its kind: a team id, a realm, a host. */
  workspace: string
  records(): AsyncIterable<R | Remark>
  /** The bytes of a file, by the path of its record. */
  openFile(path: string): Promise<Readable>
  /** The token that the addresses of files carry, where they do. It is read each time and kept nowhere. */
  findToken?(): Promise<string | null>
  /** What this kind of source never holds. */
  lost: readonly string[]
  close(): Promise<void>
}

export interface ReadOptions {
  /** Ids or names of chats; all where absent. */
  chats?: readonly string[]
  only_public?: boolean
  /** Microseconds. */
  since?: number
  until?: number
  without_files?: boolean
  guests?: 'guest' | 'user' | 'skip'
  system_messages?: 'keep' | 'skip'
  deactivated?: 'suspended' | 'placeholder'
  name_prefix?: string
  /** Of Zulip: a thread for each, or all in one row with the topic where it changes. */
  topics?: 'threads' | 'flat'
}

export function remark(kind: Remark['kind'], of: Remark['of'], reason: string, id: string): Remark {
  return { kind, of, reason, id }
}

/** An entry that is damaged: the others are read. */
export function unreadable(name: string, error: unknown): Remark {
  return remark('skipped', 'entry', `cannot be read: ${(error as Error).message.slice(0, 100)}`, name)
}

export function isRemark<R extends { kind: string }>(record: R | Remark): record is Remark {
  return record.kind === 'skipped' || record.kind === 'lost' || record.kind === 'warning'
}

/** Whether a name that was asked for is that of a chat, its id, or the beginning of its id with `*` after it. */
export function names(wanted: string, { id, name }: ChatRecord): boolean {
  if (wanted.length > 1 && wanted.endsWith('*') && id.startsWith(wanted.slice(0, -1))) return true
  return wanted === id || wanted === name
}

/** Whether a chat is among those that were asked for. */
export function isWanted(chat: ChatRecord, { chats, only_public }: ReadOptions): boolean {
  if (only_public && !chat.public) return false
  return !chats || chats.some((wanted) => names(wanted, chat))
}

/** Whether a time, in microseconds, is within what was asked for. */
export function isWithin(at: number, { since = 0, until = Number.POSITIVE_INFINITY }: ReadOptions): boolean {
  return at >= since && at < until
}
