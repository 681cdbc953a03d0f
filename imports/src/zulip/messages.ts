import { directChat, directId } from '../direct-chats.js'
import { asObjects, asText, filled, type JsonObject } from '../json.js'
import { placeholderOf } from '../people.js'
import { type ImportRecord, isWithin, type ReadOptions, type Remark, remark } from '../records.js'
import { inItalics, isBlank, paragraph, plain, type RichText } from '../text/rich-text.js'
import { secondsOf } from './people.js'
import { readPoll } from './polls.js'
import type { Tables } from './tables.js'
import { readZulipText, type ZulipNames } from './text.js'

export interface Reading {
  tables: Tables
  options: ReadOptions
  /** Whom a text names, by the recipient of its message. */
  namesFor(recipient: string): ZulipNames
  /** Streams that are wanted, and direct chats that were written already. */
  chats: Set<string>
  /** The first message of each topic: the one that its thread hangs under. */
  topics: Map<string, string>
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

export function* readMessage(reading: Reading, message: JsonObject): Iterable<ImportRecord | Remark> {
  const id = asText(message.id)
  const at = secondsOf(message.date_sent)
  const place = placeOf(reading.tables, message)
  if (!id || at === null || !place)
    return yield remark('skipped', 'message', 'has no id, time or chat', id ?? '')
  const { options } = reading
  if (!isWithin(at, options)) return yield remark('skipped', 'message', 'is outside the asked time', id)
  const direct = place.members.length > 0
  if (direct && (options.only_public || options.chats))
    return yield remark('skipped', 'message', 'is in a chat that was not asked for', id)
  if (!direct && !reading.chats.has(place.chat))
    return yield remark('skipped', 'message', 'is in a chat that was not asked for', id)
  if (direct && !reading.chats.has(place.chat)) {
    reading.chats.add(place.chat)
    yield* directChat(place.chat, place.members, (person) => nameOf(reading.tables, person))
  }
  const sender = asText(message.sender) ?? ''
  const system = Number(message.type) === 2 || reading.tables.notifiers.has(sender)
  if (system && options.system_messages === 'skip')
    return yield remark('skipped', 'message', 'is a system message', id)

  const files = reading.options.without_files ? [] : (reading.files.get(id) ?? [])
  const poll = readPoll(reading.tables.submessages.get(id) ?? [])
  const names = reading.namesFor(asText(message.recipient) ?? '')
  const text = poll ?? readText(names, asText(message.content) ?? '')
  const said = isBlank(text) ? [] : text
  if (said.length === 0 && files.length === 0) return yield remark('skipped', 'message', 'says nothing', id)
  if (!reading.authors.has(sender)) {
    reading.authors.add(sender)
    yield placeholderOf(sender)
  }
  const topic = direct ? '' : topicOf(message)
  const thread_of = topic === '' ? null : rootOf(reading, place.chat, topic, id)
  const starts = topic !== '' && thread_of === null
  yield {
    kind: 'message',
    id,
    chat_id: place.chat,
    thread_of,
    author_id: sender,
    at,
    edited_at: editedAt(message),
    text: starts ? [...paragraph([{ type: 'bold', children: [plain(topic)] }]), ...said] : said,
    files,
    display_name: null,
    display_avatar_url: null,
    system,
    deleted: false,
    forward_of: null,
  }
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

function topicOf(message: JsonObject): string {
  const subject = asText(message.subject) ?? ''
  return NO_TOPIC.has(subject) ? '' : subject.replace(RESOLVED, '').trim()
}

/** Topics are equal without regard to case; the first message of one is its root. */
function rootOf(reading: Reading, chat: string, topic: string, id: string): string | null {
  const key = `${chat}\n${topic.toLowerCase()}`
  const root = reading.topics.get(key)
  if (root === undefined) reading.topics.set(key, id)
  return root ?? null
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
