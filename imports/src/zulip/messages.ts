import { directChat, directId } from '../direct-chats.js'
import { asObjects, asText, filled, type JsonObject } from '../json.js'
import { placeholderOf } from '../people.js'
import { type ImportRecord, isWithin, type ReadOptions, type Remark, remark } from '../records.js'
import { inItalics, isBlank, paragraph, plain, type RichInline, type RichText } from '../text/rich-text.js'
import { secondsOf } from './people.js'
import type { Tables } from './tables.js'
import { readZulipText, type ZulipNames } from './text.js'
import { readWidget } from './widgets.js'

export interface Reading {
  tables: Tables
  options: ReadOptions
  /** Whom a text names, by the recipient of its message. */
  namesFor(recipient: string): ZulipNames
  /** Streams that are wanted, and direct chats that were written already. */
  chats: Set<string>
  /** The first message of each topic: the one that its thread hangs under. Empty where topics become no threads. */
  roots: ReadonlyMap<string, string>
  /** The topic of the last message that was read in each chat. */
  lastTopics: Map<string, string>
  /** Files of each message. */
  files: Map<string, string[]>
  authors: Set<string>
}

export const streamId = (id: string) => `stream/${id}`

const RESOLVED = /^✔ /
/** How topics of direct messages are written. */
const NO_TOPIC = new Set(['', '\u0007'])

/** The chat that a message belongs to; old messages of two name the other person alone. */
export function placeOf(tables: Tables, message: JsonObject): { chat: string; members: string[] } | null {
  const recipient = asText(message.recipient) ?? ''
  const target = tables.recipients.get(recipient)
  const sender = asText(message.sender) ?? ''
  if (!target) return null
  if (target.type === 2) return { chat: streamId(target.id), members: [] }
  const others = target.type === 1 ? [target.id] : (tables.subscribers.get(recipient) ?? [])
  const members = [...new Set([...others, sender])].sort()
  return { chat: directId(members), members }
}

/** Why a message is left out before its text is read; null where it is not. */
export function reasonToSkip(
  { options, chats, tables }: Reading,
  message: JsonObject,
  { chat, members }: NonNullable<ReturnType<typeof placeOf>>,
): string | null {
  if (!isWithin(secondsOf(message.date_sent) ?? 0, options)) return 'is outside the asked time'
  const unwanted = members.length > 0 ? options.only_public || options.chats : !chats.has(chat)
  if (unwanted) return 'is in a chat that was not asked for'
  return options.system_messages === 'skip' && isNotice(tables, message) ? 'is a system message' : null
}

const NOTICE = 2

function isNotice({ notifiers }: Tables, message: JsonObject): boolean {
  return Number(message.type) === NOTICE || notifiers.has(asText(message.sender) ?? '')
}

export function* readMessage(reading: Reading, message: JsonObject): Iterable<ImportRecord | Remark> {
  const id = asText(message.id)
  const at = secondsOf(message.date_sent)
  const place = placeOf(reading.tables, message)
  if (!id || at === null || !place)
    return yield remark('skipped', 'message', 'has no id, time or chat', id ?? '')
  const reason = reasonToSkip(reading, message, place)
  if (reason) return yield remark('skipped', 'message', reason, id)
  const files = reading.options.without_files ? [] : (reading.files.get(id) ?? [])
  const said = saidIn(reading, message, id)
  if (said.length === 0 && files.length === 0) return yield remark('skipped', 'message', 'says nothing', id)
  const sender = asText(message.sender) ?? ''
  yield* readAround(reading, place, sender)
  const topic = place.members.length > 0 ? '' : topicOf(message)
  const { thread_of, text } = inTopic(reading, place.chat, topic, { id, said })
  yield {
    kind: 'message',
    id,
    chat_id: place.chat,
    thread_of,
    author_id: sender,
    at,
    edited_at: editedAt(message),
    text,
    files,
    display_name: null,
    display_avatar_url: null,
    system: isNotice(reading.tables, message),
    deleted: false,
    forward_of: null,
  }
}

/** What a message says; empty where it shows nothing. */
function saidIn(reading: Reading, message: JsonObject, id: string): RichText {
  const names = reading.namesFor(asText(message.recipient) ?? '')
  const widget = readWidget(reading.tables.submessages.get(id) ?? [])
  const text = widget ?? readText(names, asText(message.content) ?? '')
  return isBlank(text) ? [] : text
}

/** The direct chat and the author, where the message is the first to name them. */
function* readAround(
  { tables, chats, authors }: Reading,
  { chat, members }: NonNullable<ReturnType<typeof placeOf>>,
  sender: string,
): Iterable<ImportRecord> {
  if (!authors.has(sender)) {
    authors.add(sender)
    yield placeholderOf(sender)
  }
  if (members.length === 0 || chats.has(chat)) return
  chats.add(chat)
  yield* directChat(chat, members, (person) => nameOf(tables, person))
}

/** When the text was last changed: to move a message to another topic does not change it. */
function editedAt(message: JsonObject): number | null {
  const last = secondsOf(message.last_edit_time)
  const history = filled(message.edit_history)
  if (last === null || !history) return last
  try {
    const changes = asObjects(JSON.parse(history)).filter(({ prev_content }) => prev_content !== undefined)
    return changes.reduce<number | null>((latest, { timestamp }) => {
      const at = secondsOf(timestamp)
      return at !== null && at > (latest ?? 0) ? at : latest
    }, null)
  } catch {
    return last
  }
}

export function topicOf(message: JsonObject): string {
  const subject = asText(message.subject) ?? ''
  return NO_TOPIC.has(subject) ? '' : subject.replace(RESOLVED, '').trim()
}

/** Topics are equal without regard to case. */
export const topicKey = (chat: string, topic: string) => `${chat}\n${topic.toLowerCase()}`

/** A thread below the first message of the topic; or, in one row, the topic where it is another than that of the message before. */
function inTopic(
  { options, roots, lastTopics }: Reading,
  chat: string,
  topic: string,
  { id, said }: { id: string; said: RichText },
): { thread_of: string | null; text: RichText } {
  const key = topicKey(chat, topic)
  if (options.topics === 'flat') {
    const changed = lastTopics.get(chat) !== key
    lastTopics.set(chat, key)
    return { thread_of: null, text: topic !== '' && changed ? inFront(`${topic}:`, said) : said }
  }
  const root = topic === '' ? id : (roots.get(key) ?? id)
  if (topic === '' || root !== id) return { thread_of: root === id ? null : root, text: said }
  return { thread_of: null, text: [...paragraph([bold(topic)]), ...said] }
}

const bold = (text: string): RichInline => ({ type: 'bold', children: [plain(text)] })

function inFront(label: string, [first, ...rest]: RichText): RichText {
  if (first?.type !== 'line' || first.quote)
    return [...paragraph([bold(label)]), ...(first ? [first] : []), ...rest]
  return [{ type: 'line', children: [bold(label), plain(' '), ...first.children] }, ...rest]
}

const UPLOAD = /!?\[([^\]\n]{0,300})\]\((?:https?:\/\/[^/)\s]+)?\/user_uploads\/[^)\s]+\)/g
/** A link that was pasted: its last part is the name of the file. */
const BARE_UPLOAD = /(?<=^|\s)(?:https?:\/\/[^/\s]+)?\/user_uploads\/(?:[^/\s]+\/)*([^/\s]+)/g

/** Uploads hang on the message: a link alone on its line is removed, any other leaves its label. */
function readText(names: ZulipNames, content: string): RichText {
  const lines = content.split('\n').flatMap((line) => {
    if (!line.includes('/user_uploads/')) return [line]
    const without = line.replace(UPLOAD, '').replace(BARE_UPLOAD, '').trim()
    return without === '' ? [] : [line.replace(UPLOAD, '$1').replace(BARE_UPLOAD, '$1')]
  })
  const me = /^\/me /.exec(content)
  const text = readZulipText(lines.join('\n').replace(/^\/me /, ''), names)
  return me ? inItalics(text) : text
}

function nameOf({ people, dummies }: Tables, person: string): string {
  return filled((people.get(person) ?? dummies.get(person))?.full_name) ?? person
}
