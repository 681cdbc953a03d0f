import { type Archive, ArchiveError } from '../archive/archive.js'
import { sourceOf } from '../archive-source.js'
import { cleanName } from '../file-name.js'
import { asIds, asText, filled, type JsonObject, readMember } from '../json.js'
import {
  type ChatRecord,
  type ImportRecord,
  isWanted,
  type ReadOptions,
  type Remark,
  remark,
  type Source,
  unreadable,
} from '../records.js'
import { type Reading, readMessage, streamId } from './messages.js'
import { readBot, readPerson, secondsOf } from './people.js'
import { findPictures } from './pictures.js'
import { readTables, type Tables } from './tables.js'

const LOST = [
  'former texts of edited messages',
  'stars, mutes, followed topics and read marks',
  'folders of streams, linkifiers and filters',
  'scheduled messages and saved snippets',
  'who voted in polls',
  'pictures of custom emoji',
  'who could see the history of a stream with protected history: all its members can now',
]

export function isZulip(archive: Archive): boolean {
  return (
    archive.entries.has('realm.json') &&
    [...archive.entries.keys()].some((name) => /^messages-\d+\.json$/.test(name))
  )
}

export function openZulip(archive: Archive, workspace: string | null, options: ReadOptions): Source {
  if (!isZulip(archive))
    throw new ArchiveError('the archive is no Zulip export: it has no realm.json or no messages')
  const records = () => readAll(archive, options)
  return sourceOf(archive, { name: 'zulip', workspace: workspace ?? 'zulip', lost: LOST, records })
}

/** Two people may have one full name: the bare form names the one who is in the chat, or nobody. */
function namesOf(tables: Tables): Reading['namesFor'] {
  const byName = new Map<string, string[]>()
  for (const [id, row] of [...tables.people, ...tables.dummies]) {
    const name = filled(row.full_name)
    if (name) byName.set(name, [...(byName.get(name) ?? []), id])
  }
  const findPerson = (name: string, recipient: string): string | null => {
    const known = byName.get(name) ?? []
    const inside = new Set(known.length > 1 ? tables.subscribers.get(recipient) : known)
    const [one, ...others] = known.filter((id) => inside.has(id))
    return one !== undefined && others.length === 0 ? one : null
  }
  const streams = new Map([...tables.streams].map(([id, row]) => [streamName(row, id), streamId(id)]))
  const groups = new Map([...tables.groups].map(([id, { name }]) => [name, id]))
  return (recipient) => ({
    person(id, name) {
      const known = id ?? findPerson(name, recipient)
      return known ? { type: 'person', id: known, label: name } : null
    },
    group(name) {
      const id = groups.get(name)
      return id ? { type: 'tag', id, label: name } : null
    },
    stream: (name) => streams.get(name) ?? null,
  })
}

/** Old versions wrote before the name that a stream is no longer used. */
function streamName(row: JsonObject, id: string): string {
  const name = (filled(row.name) ?? `stream ${id}`).replace(/^(!{1,20}|.{8}!)DEACTIVATED:/, '').trim()
  return name === '' ? `stream ${id}` : name
}

const EVERYONE = 'role:everyone'

/** Whether only some may write: the policy of old versions, or the group of newer ones. */
function isLimited(row: JsonObject, { groupNames }: Tables): boolean {
  if (Number(row.stream_post_policy) > 1) return true
  const group = groupNames.get(asText(row.can_send_message_group) ?? '')
  return group !== undefined && group !== EVERYONE
}

/** Owners, administrators and moderators write where others may not. */
const MODERATOR = 300

function memberRole({ type }: ChatRecord, person: JsonObject | undefined): 'editor' | 'member' {
  return type === 'channel' && Number(person?.role) <= MODERATOR ? 'editor' : 'member'
}

function chatOf(row: JsonObject, id: string, tables: Tables): ChatRecord {
  const archived = row.deactivated === true || /DEACTIVATED:/.test(asText(row.name) ?? '')
  return {
    kind: 'chat',
    id: streamId(id),
    type: isLimited(row, tables) ? 'channel' : 'conversation',
    name: streamName(row, id),
    description: filled(row.description),
    public: row.invite_only !== true,
    owner_id: asText(row.creator),
    people: [],
    archived,
    archived_at: null,
    created_at: secondsOf(row.date_created),
  }
}

async function* readAll(archive: Archive, options: ReadOptions): AsyncIterable<ImportRecord | Remark> {
  for (const entry of archive.refused) yield remark('skipped', 'entry', 'is refused', entry)
  const tables = await readTables(archive)
  const pictures = yield* findPictures(archive)
  for (const [id, row] of tables.people) yield { ...readPerson(row, id), ...pictures.get(id) }
  for (const [id, row] of tables.dummies) yield readPerson({ ...row, is_mirror_dummy: true }, id)
  for (const [id, row] of tables.bots) yield { ...readBot(row, id), ...pictures.get(id) }
  for (const [id, { name, members }] of tables.groups) {
    yield { kind: 'tag', id, name }
    for (const person_id of members)
      if (tables.people.has(person_id)) yield { kind: 'tag_member', tag_id: id, person_id }
  }
  yield* readFields(archive, tables)
  const reading: Reading = {
    tables,
    options,
    namesFor: namesOf(tables),
    chats: new Set(),
    topics: new Map(),
    files: new Map(),
    authors: new Set([...tables.people.keys(), ...tables.dummies.keys(), ...tables.bots.keys()]),
  }
  yield* readStreams(reading)
  if (!options.without_files) yield* readFiles(archive, reading)
  yield* readMessages(archive, reading)
  yield* readReactions(archive, reading)
}

function* readStreams(reading: Reading): Iterable<ImportRecord | Remark> {
  const { tables, options } = reading
  const streams = new Map<string, ChatRecord>()
  for (const [id, row] of tables.streams) {
    const chat = chatOf(row, id, tables)
    if (!isWanted(chat, options)) {
      yield remark('skipped', 'chat', 'was not asked for', chat.id)
      continue
    }
    reading.chats.add(chat.id)
    streams.set(id, chat)
    yield chat
  }
  for (const [recipient, { type, id }] of tables.recipients) {
    const chat = type === 2 ? streams.get(id) : undefined
    if (!chat) continue
    for (const person_id of tables.subscribers.get(recipient) ?? []) {
      const person = tables.people.get(person_id)
      if (person) yield { kind: 'chat_member', chat_id: chat.id, person_id, role: memberRole(chat, person) }
    }
  }
}

const DATA_TYPES: Record<number, 'date' | 'link'> = { 4: 'date', 5: 'link' }

async function* readFields(archive: Archive, tables: Tables): AsyncIterable<ImportRecord> {
  const fields = new Map<string, JsonObject>()
  for await (const row of readMember(archive, 'realm.json', 'zerver_customprofilefield')) {
    const id = asText(row.id)
    if (!id) continue
    fields.set(id, row)
    yield {
      kind: 'property',
      id,
      name: filled(row.name) ?? id,
      data_type: DATA_TYPES[Number(row.field_type)] ?? 'string',
    }
  }
  for await (const row of readMember(archive, 'realm.json', 'zerver_customprofilefieldvalue')) {
    const [field, person_id, value] = [asText(row.field), asText(row.user_profile), filled(row.value)]
    if (field && person_id && value && fields.has(field))
      yield {
        kind: 'property_value',
        property_id: field,
        person_id,
        value: labelOf(fields.get(field) as JsonObject, value, tables),
      }
  }
}

const CHOICE = 3
const PEOPLE = 6

/** A choice is kept by its key, people by a list of ids; the labels are JSON inside text, and so is the list. */
function labelOf(field: JsonObject, value: string, { people, dummies }: Tables): string {
  const type = Number(field.field_type)
  if (type !== CHOICE && type !== PEOPLE) return value
  try {
    if (type === PEOPLE) {
      const nameOf = (id: string) => filled((people.get(id) ?? dummies.get(id))?.full_name) ?? id
      return asIds(JSON.parse(value)).map(nameOf).join(', ') || value
    }
    const choices = JSON.parse(asText(field.field_data) ?? '{}') as Record<string, { text?: string }>
    return choices[value]?.text ?? value
  } catch {
    return value
  }
}

async function* readFiles(archive: Archive, reading: Reading): AsyncIterable<ImportRecord> {
  for await (const row of readMember(archive, 'attachment.json', 'zerver_attachment')) {
    const id = filled(row.path_id)
    if (!id) continue
    for (const message of asIds(row.messages)) {
      const files = reading.files.get(message)
      if (files) files.push(id)
      else reading.files.set(message, [id])
    }
    const path =
      [`uploads/${id}`, `uploads/${id.normalize('NFC')}`].find((name) => archive.entries.has(name)) ?? null
    const size = Number(row.size)
    yield {
      kind: 'file',
      id,
      name: cleanName(filled(row.file_name) ?? id),
      media_type: filled(row.content_type),
      size: Number.isSafeInteger(size) ? size : null,
      owner_id: asText(row.owner),
      created_at: secondsOf(row.create_time),
      path,
      missing: path ? null : 'is not in the archive',
    }
  }
}

/** In the order of their numbers, so that the first message of a topic comes first. One damaged file does not end the reading. */
async function* readMessages(archive: Archive, reading: Reading): AsyncIterable<ImportRecord | Remark> {
  const names = [...archive.entries.keys()].filter((name) => /^messages-\d+\.json$/.test(name)).sort()
  for (const name of names) {
    try {
      for await (const message of readMember(archive, name, 'zerver_message'))
        yield* readMessage(reading, message)
    } catch (error) {
      yield unreadable(name, error)
    }
  }
}

async function* readReactions(archive: Archive, reading: Reading): AsyncIterable<ImportRecord | Remark> {
  for await (const row of readMember(archive, 'realm.json', 'zerver_reaction')) {
    const [message_id, person_id] = [asText(row.message), asText(row.user_profile)]
    if (!message_id || !person_id || !reading.tables.people.has(person_id)) {
      yield remark('skipped', 'reaction', 'is by somebody unknown', message_id ?? '')
      continue
    }
    yield { kind: 'reaction', message_id, person_id, emoji: emojiOf(row), at: null }
  }
}

function emojiOf(row: JsonObject): string {
  const code = asText(row.emoji_code) ?? ''
  if (row.reaction_type !== 'unicode_emoji' || !/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(code))
    return `:${asText(row.emoji_name) ?? ''}:`
  const points = code.split('-').map((point) => Number.parseInt(point, 16))
  return points.every((point) => point <= 0x10ffff)
    ? String.fromCodePoint(...points)
    : `:${asText(row.emoji_name) ?? ''}:`
}
