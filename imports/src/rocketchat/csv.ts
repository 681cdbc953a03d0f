import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import type { Archive } from '../archive/archive.js'
import { sourceOf, tellUnread } from '../archive-source.js'
import { directChat, directId } from '../direct-chats.js'
import { filled } from '../json.js'
import { placeholderOf } from '../people.js'
import {
  type ChatRecord,
  type ImportRecord,
  isWanted,
  isWithin,
  type ReadOptions,
  type Remark,
  remark,
  type Source,
  unreadable,
} from '../records.js'
import { isBlank } from '../text/rich-text.js'
import { type RocketNames, readRocketText } from './text.js'

const KNOWN = /^([^/]+\/)?[^/]+\.csv$/
const LOST = ['files, reactions, threads and pins', 'who administers the workspace and its chats']
const RECORD_BYTES = 16 * 1024 * 1024
const DIRECT = 'directmessages'

/** The tables of its own importer: people, channels, and one folder of messages for each channel. */
export function isCsv(archive: Archive): boolean {
  const names = [...archive.entries.keys()]
  return (
    names.some((name) => name === 'users.csv' || name === 'channels.csv') &&
    names.some((name) => /^[^/]+\/[^/]+\.csv$/.test(name))
  )
}

export function openRocketChatCsv(archive: Archive, workspace: string | null, options: ReadOptions): Source {
  const records = () => readAll(archive, options)
  return sourceOf(archive, {
    name: 'rocketchat',
    workspace: workspace ?? 'rocketchat-csv',
    lost: LOST,
    records,
  })
}

interface Reading {
  archive: Archive
  options: ReadOptions
  people: Map<string, string>
  chats: Set<string>
  names: RocketNames
}

/** The lines of a table, without one that names its columns; a damaged table ends with a remark. */
async function* rowsOf(archive: Archive, name: string): AsyncIterable<string[] | Remark> {
  if (!archive.entries.has(name)) return
  const parser = parse({
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: RECORD_BYTES,
  })
  try {
    // The callback is called with what ended the streams; the loop throws the same.
    const rows = pipeline(await archive.open(name), onlyUtf8, parser, () => {})
    let first = true
    for await (const row of rows as AsyncIterable<string[]>) {
      if (!first || !isHeader(row)) yield row
      first = false
    }
  } catch (error) {
    yield unreadable(name, error)
  }
}

/** Passes text on; spreadsheets write another encoding unless told otherwise, which would garble names. */
async function* onlyUtf8(bytes: AsyncIterable<Buffer>): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const decoded = (chunk?: Buffer) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new Error('it is not UTF-8')
    }
  }
  for await (const chunk of bytes) yield decoded(chunk)
  yield decoded()
}

function isHeader([first = '', second = '']: string[]): boolean {
  return (
    /^(user(name)?|name|from)$/i.test(first.trim()) &&
    /^(e-?mail|creator|to|ts|time(stamp)?)$/i.test(second.trim())
  )
}

async function* readAll(archive: Archive, options: ReadOptions): AsyncIterable<ImportRecord | Remark> {
  yield* tellUnread(archive, KNOWN)
  const people = new Map<string, string>()
  const chats = new Set<string>()
  const reading: Reading = {
    archive,
    options,
    people,
    chats,
    names: {
      user(name) {
        if (name === 'all') return { type: 'everyone' }
        if (name === 'here') return { type: 'present' }
        return people.has(name) ? { type: 'person', id: name, label: name } : null
      },
      room: (name) => (chats.has(name) ? { type: 'chat', id: name, label: name } : null),
    },
  }
  yield* readPeople(reading)
  yield* readChannels(reading)
  for (const name of [...archive.entries.keys()].sort()) {
    const folder = /^([^/]+)\/[^/]+\.csv$/.exec(name)?.[1]
    if (folder === DIRECT) yield* readDirect(reading, name)
    else if (folder !== undefined) yield* readRoom(reading, folder, name)
  }
}

async function* readPeople({ archive, people }: Reading): AsyncIterable<ImportRecord | Remark> {
  for await (const row of rowsOf(archive, 'users.csv')) {
    if (!Array.isArray(row)) {
      yield row
      continue
    }
    const id = filled(row[0])
    if (!id || people.has(id)) {
      yield remark('skipped', 'person', id ? 'is there twice' : 'has no name', id ?? '')
      continue
    }
    const name = filled(row[2]) ?? id
    const [first = id, ...rest] = name.split(/\s+/)
    people.set(id, name)
    const known = placeholderOf(id, id)
    const last_name = rest.length > 0 ? rest.join(' ') : null
    const email = filled(row[1])?.toLowerCase() ?? null
    yield { ...known, first_name: first, last_name, email, state: 'active' }
  }
}

/** Somebody whom the table of people does not hold. */
function* knownOr({ people }: Reading, id: string): Iterable<ImportRecord> {
  if (people.has(id)) return
  people.set(id, id)
  yield placeholderOf(id, id)
}

async function* readChannels(reading: Reading): AsyncIterable<ImportRecord | Remark> {
  for await (const row of rowsOf(reading.archive, 'channels.csv')) {
    if (!Array.isArray(row)) {
      yield row
      continue
    }
    const [name, creator, access, members] = row.map((cell) => filled(cell))
    if (!name || reading.chats.has(name)) {
      yield remark('skipped', 'chat', name ? 'is there twice' : 'has no name', name ?? '')
      continue
    }
    const chat = channelOf(name, creator ?? null, access === 'public')
    if (!isWanted(chat, reading.options)) {
      yield remark('skipped', 'chat', 'was not asked for', name)
      continue
    }
    reading.chats.add(name)
    yield chat
    const inside = [...(creator ? [creator] : []), ...(members ?? '').split(';')]
    for (const person_id of new Set(inside.flatMap((member) => filled(member) ?? []))) {
      yield* knownOr(reading, person_id)
      const role = person_id === creator ? 'admin' : 'member'
      yield { kind: 'chat_member', chat_id: name, person_id, role }
    }
  }
}

function channelOf(name: string, owner_id: string | null, open: boolean): ChatRecord {
  return {
    kind: 'chat',
    id: name,
    type: 'conversation',
    name,
    description: null,
    public: open,
    owner_id,
    people: [],
    archived: false,
    archived_at: null,
    created_at: null,
  }
}

async function* readRoom(reading: Reading, folder: string, name: string) {
  for await (const row of rowsOf(reading.archive, name)) {
    if (!Array.isArray(row)) yield row
    else if (!reading.chats.has(folder))
      yield remark('skipped', 'message', 'is in a chat that was skipped', folder)
    else yield* readMessage(reading, folder, [row[0], row[1], row[2]])
  }
}

async function* readDirect(reading: Reading, name: string) {
  for await (const row of rowsOf(reading.archive, name)) {
    if (!Array.isArray(row)) {
      yield row
      continue
    }
    const [from, to] = [filled(row[0]), filled(row[1])]
    const unwanted = reading.options.only_public || reading.options.chats !== undefined
    if (!from || !to || unwanted) {
      const reason = unwanted ? 'is in a chat that was not asked for' : 'names nobody'
      yield remark('skipped', 'message', reason, name)
      continue
    }
    const members = [...new Set([from, to])].sort()
    const id = directId(members)
    if (!reading.chats.has(id)) {
      reading.chats.add(id)
      for (const member of members) yield* knownOr(reading, member)
      yield* directChat(id, members, (person) => reading.people.get(person) ?? person)
    }
    yield* readMessage(reading, id, [from, row[2], row[3]])
  }
}

/** There are no ids: a message is known by its chat, author, time and text. */
function* readMessage(
  reading: Reading,
  chat_id: string,
  [user, time, text]: (string | undefined)[],
): Iterable<ImportRecord | Remark> {
  const author_id = filled(user)
  const at = Number(time) * 1000
  const hash = createHash('sha1')
    .update(text ?? '')
    .digest('hex')
    .slice(0, 12)
  const id = `${chat_id}|${author_id}|${time}|${hash}`
  const blocks = readRocketText(text ?? '', reading.names)
  if (!author_id) yield remark('skipped', 'message', 'has no author', chat_id)
  else if (!Number.isSafeInteger(at) || at <= 0) yield remark('skipped', 'message', 'has no time', chat_id)
  else if (!isWithin(at, reading.options)) yield remark('skipped', 'message', 'is outside the asked time', id)
  else if (isBlank(blocks)) yield remark('skipped', 'message', 'says nothing', id)
  else {
    yield* knownOr(reading, author_id)
    yield {
      kind: 'message',
      id,
      chat_id,
      thread_of: null,
      author_id,
      at,
      edited_at: null,
      text: blocks,
      files: [],
      display_name: null,
      display_avatar_url: null,
      system: false,
      deleted: false,
      forward_of: null,
    }
  }
}
