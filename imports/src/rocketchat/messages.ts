import { cut } from '../cut.js'
import { asObject, asObjects, asText, filled, type JsonObject } from '../json.js'
import { pictureUrl } from '../picture-url.js'
import {
  type ImportRecord,
  isWithin,
  type MessageRecord,
  type ReadOptions,
  type Remark,
  remark,
} from '../records.js'
import { isBlank, plainText, type RichInline, type RichText } from '../text/rich-text.js'
import { idOf, timeOf } from './documents.js'
import { isThumbnail, type Uploads, unknownFile } from './files.js'
import { readMarks } from './marks.js'
import { readTree } from './md.js'
import { INTEGRATIONS, knownOr, nameOf, type People } from './people.js'
import { readQuotes } from './quotes.js'
import { type Room, type Rooms, roomName } from './rooms.js'
import { isUnknown, systemLine, type Treatment, treatmentOf } from './system.js'
import { type RocketNames, readRocketText } from './text.js'

export interface Reading {
  people: People
  rooms: Rooms
  /** Discussions that are threads here, and the message that each hangs under. */
  threads: Map<string, { root: string; chat: string }>
  uploads: Uploads
  /** Files that were named by messages and by nothing else. */
  unknownFiles: Set<string>
  integrations: boolean
  options: ReadOptions
}

interface Place {
  chat_id: string
  thread_of: string | null
}

/** Where a message goes; a text says why nowhere. */
function placeOf({ rooms, threads }: Reading, message: JsonObject): Place | string {
  const rid = idOf(message.rid) ?? ''
  const discussion = threads.get(rid)
  const chat_id = discussion?.chat ?? rid
  if (rooms.skipped.has(chat_id)) return 'is in a chat that was skipped'
  if (!rooms.rooms.has(chat_id)) return 'is in a room that is not in the archive'
  // Threads are flat: a reply within a discussion belongs to the thread of the discussion.
  return { chat_id, thread_of: discussion?.root ?? idOf(message.tmid) }
}

export function* readMessage(reading: Reading, message: JsonObject): Iterable<ImportRecord | Remark> {
  const id = idOf(message._id)
  const at = timeOf(message.ts)
  const skip = (reason: string) => remark('skipped', 'message', reason, id ?? '')
  if (id === null || at === null) return yield skip(id === null ? 'has no id' : 'has no time')
  if (message._hidden === true)
    return yield skip(message.parent ? 'is a former version of an edited message' : 'is hidden')
  const place = placeOf(reading, message)
  if (typeof place === 'string') return yield skip(place)
  if (!isWithin(at, reading.options)) return yield skip('is outside the asked time')
  const type = filled(message.t)
  const { text, reply_to } = textOf(reading, message)
  const says = !isBlank(text) || filesOf(message).length > 0 || reply_to !== undefined
  const treatment = isEncrypted(message) ? 'encrypted' : treatmentOf(type, says)
  if (isUnknown(type)) yield remark('warning', 'message', `is of the unknown kind ${type?.slice(0, 40)}`, id)
  const reason = reasonToSkip(reading, message, treatment, says)
  if (reason) return yield skip(reason)

  const author = yield* authorOf(reading, message)
  const files = treatment === 'message' ? yield* readFiles(reading, message, author, at) : []
  if (treatment === 'encrypted') yield remark('lost', 'message', 'is encrypted', id)
  const said: MessageRecord = {
    kind: 'message',
    id,
    ...place,
    author_id: author,
    at,
    edited_at: timeOf(message.editedAt),
    text: shownText(reading, message, { treatment, text, author }),
    files,
    ...display(reading, message, author),
    system: treatment === 'system' || treatment === 'encrypted',
    deleted: treatment === 'removed',
    forward_of: null,
    ...(reply_to && treatment === 'message' && { reply_to }),
  }
  yield said
  if (message.tshow === true && place.thread_of === idOf(message.tmid) && place.thread_of)
    yield { ...said, id: `${id}:shown`, thread_of: null, forward_of: id }
  if (treatment === 'message') yield* readMarks(reading, message, said)
}

/** A room with encryption holds plain messages too: each is looked at by itself. */
function isEncrypted(message: JsonObject): boolean {
  return message.t === 'e2e' || filled(asObject(message.content).algorithm) !== null
}

function reasonToSkip(
  { options }: Reading,
  message: JsonObject,
  treatment: Treatment,
  says: boolean,
): string | null {
  const type = filled(message.t)
  if (treatment === 'skip') return `is of the kind ${type?.slice(0, 40)}`
  if (treatment === 'removed' && !(Number(message.tcount) > 0)) return 'was deleted'
  if (treatment === 'system' && options.system_messages === 'skip') return 'is a system message'
  return treatment === 'message' && !says ? 'says nothing' : null
}

interface Shown {
  treatment: Treatment
  text: RichText
  author: string
}

function shownText({ people }: Reading, message: JsonObject, { treatment, text, author }: Shown): RichText {
  if (treatment === 'removed') return []
  if (treatment === 'encrypted') return plainText('Encrypted message')
  if (treatment !== 'system') return text
  const name: RichInline = { type: 'person', id: author, label: nameOf(people, author) }
  return systemLine(filled(message.t) ?? '', message, name)
}

/** The tree where there is one, else the text as typed; then captions of files, and what bots attached. */
function textOf(reading: Reading, message: JsonObject) {
  const names = namesOf(reading, message)
  const typed = asText(message.msg) ?? ''
  const read = (source: string) => readRocketText(source, names)
  const said = readTree(message.md, names) ?? read(typed)
  const captions = filesOf(message).flatMap((file) => reading.uploads.get(idOf(file._id) ?? '') ?? [])
  return readQuotes(said, message, { typed, captions, read })
}

/** `mentions` and `channels` tell which names were real ones when the message was sent. */
function namesOf(reading: Reading, message: JsonObject): RocketNames {
  return {
    user(name) {
      if (name === 'all') return { type: 'everyone' }
      if (name === 'here') return { type: 'present' }
      const named = asObjects(message.mentions).find(({ username }) => username === name)
      const id = named && idOf(named._id)
      if (!id) return null
      if (named.type === 'team') return { type: 'tag', id, label: name }
      return { type: 'person', id, label: name }
    },
    room(name) {
      const named = asObjects(message.channels).find((channel) => channel.name === name)
      const room: Room | undefined = reading.rooms.rooms.get((named && idOf(named._id)) ?? '')
      return room ? { type: 'chat', id: room.id, label: roomName(room, reading.people) } : null
    },
  }
}

/** A person with an alias is an integration that posts under that person's account. */
function* authorOf(reading: Reading, message: JsonObject): Generator<ImportRecord, string> {
  const { people } = reading
  const id = idOf(asObject(message.u)._id) ?? 'unknown'
  if (filled(message.alias) && !people.bots.has(id)) {
    if (!reading.integrations) yield INTEGRATIONS
    reading.integrations = true
    return INTEGRATIONS.id
  }
  yield* knownOr(people, id)
  return id
}

function display({ people }: Reading, message: JsonObject, author: string) {
  const bot = author === INTEGRATIONS.id || people.bots.has(author)
  return {
    display_name: bot ? cut(filled(message.alias) ?? '', 255) || null : null,
    display_avatar_url: bot ? pictureUrl(message.avatar) : null,
  }
}

function filesOf(message: JsonObject): JsonObject[] {
  const files = asObjects(message.files)
  const all = files.length > 0 ? files : idOf(asObject(message.file)._id) ? [asObject(message.file)] : []
  return all.filter((file) => !isThumbnail(file))
}

function* readFiles(
  reading: Reading,
  message: JsonObject,
  author: string,
  at: number,
): Generator<ImportRecord, string[]> {
  if (reading.options.without_files) return []
  const ids: string[] = []
  for (const file of filesOf(message)) {
    const id = idOf(file._id)
    if (id === null) continue
    ids.push(id)
    if (reading.uploads.has(id) || reading.unknownFiles.has(id)) continue
    reading.unknownFiles.add(id)
    yield unknownFile(file, id, author, at)
  }
  return ids
}
