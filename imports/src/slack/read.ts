import type { Archive } from '../archive/archive.js'
import { ArchiveError } from '../archive/archive.js'
import { sourceOf, tellUnread } from '../archive-source.js'
import { asIds, asObject, filled, isObject, type JsonObject, readArray } from '../json.js'
import { placeholderOf } from '../people.js'
import {
  type ImportRecord,
  isWanted,
  type ReadOptions,
  type Remark,
  remark,
  type Source,
  unreadable,
} from '../records.js'
import { type List, readChat, type SlackChat } from './chats.js'
import { bytesOf, daysByFolder, isDay, KNOWN, picturesOf, roots } from './entries.js'
import { filesOf, tokenOf } from './files.js'
import { messageId, type Reading, readMessage } from './messages.js'
import { readDirectory, readProperties } from './people.js'
import { seconds } from './times.js'

const LISTS: readonly List[] = ['channels', 'groups', 'mpims', 'dms']

const LOST = [
  'bytes of files that the archive does not hold',
  'canvases and lists',
  'pictures of custom emoji',
  'times of reactions',
  'former texts of edited messages',
  'user groups',
  'labels of profile fields',
  'drafts, saved items, scheduled messages and reminders',
  'read marks and notification settings',
  'workflows',
  'members who left',
  'huddle recordings',
  'posting permissions',
]

/** Whether an archive is a Slack export. */
export function isSlack(archive: Archive): boolean {
  const names = [...archive.entries.keys()]
  return names.some((name) => /^(teams\/[^/]+\/)?(org_)?users\.json$/.test(name)) && names.some(isDay)
}

export function openSlack(archive: Archive, workspace: string | null, options: ReadOptions): Source {
  if (!isSlack(archive))
    throw new ArchiveError('the archive is no Slack export: it has no users.json or no days')
  const records = () => readAll(archive, options)
  const source = sourceOf(archive, { name: 'slack', workspace: workspace ?? 'slack', lost: LOST, records })
  return { ...source, findToken: () => findToken(archive) }
}

/** A list that is damaged ends where it cannot be read; the rest of the archive is still of use. */
async function* readList(archive: Archive, name: string, damaged: Remark[]): AsyncIterable<unknown> {
  try {
    yield* readArray(archive, name)
  } catch (error) {
    damaged.push(unreadable(name, error))
  }
}

async function* readUsers(archive: Archive, damaged: Remark[]): AsyncIterable<unknown> {
  for (const root of roots(archive)) {
    yield* readList(archive, `${root}org_users.json`, damaged)
    yield* readList(archive, `${root}users.json`, damaged)
  }
}

async function* readAll(archive: Archive, options: ReadOptions): AsyncIterable<ImportRecord | Remark> {
  yield* tellUnread(archive, KNOWN)
  const damaged: Remark[] = []
  const { directory, remarks } = await readDirectory(readUsers(archive, damaged), picturesOf(archive))
  yield* remarks
  yield* directory.people.values()
  yield* directory.bots.values()
  yield* readProperties(readUsers(archive, []))

  const reading: Reading = { directory, options, findBytes: bytesOf(archive), files: new Set() }
  const folders = daysByFolder(archive)
  const known = new Set<string>()
  for (const root of roots(archive)) {
    for (const list of LISTS) {
      for await (const value of readList(archive, `${root}${list}.json`, damaged)) {
        const id = isObject(value) ? filled(value.id) : null
        if (!isObject(value) || !id || known.has(id)) {
          yield remark('skipped', 'chat', id ? 'is there twice' : 'has no id', id ?? '')
          continue
        }
        known.add(id)
        const chat = readChat(value, id, list, (person) => nameOf(reading, person))
        const days = folders.take(root, chat.folder, id)
        if (isWanted(chat.record, options)) yield* readWholeChat(archive, reading, chat, days)
        else yield remark('skipped', 'chat', 'was not asked for', id)
      }
    }
  }
  yield* damaged
  for (const folder of folders.left())
    yield remark('skipped', 'entry', 'is a folder of no known chat', folder)
}

function nameOf({ directory }: Reading, person: string): string {
  const found = directory.people.get(person)
  if (found) return [found.first_name, found.last_name].filter(Boolean).join(' ')
  return directory.bots.get(person)?.name ?? person
}

async function* readWholeChat(
  archive: Archive,
  reading: Reading,
  chat: SlackChat,
  days: readonly string[],
): AsyncIterable<ImportRecord | Remark> {
  const { record, members, pins } = chat
  yield record
  for (const person_id of members) {
    if (reading.directory.bots.has(person_id)) continue
    if (!reading.directory.people.has(person_id)) {
      const unknown = placeholderOf(person_id, null)
      reading.directory.people.set(person_id, unknown)
      yield unknown
    }
    const role = person_id === record.owner_id ? 'admin' : 'member'
    if (record.type !== 'personal') yield { kind: 'chat_member', chat_id: record.id, person_id, role }
  }
  for (const day of days) yield* readDay(archive, reading, { id: record.id, listsPins: pins !== null }, day)
  for (const pin of pins ?? []) {
    const ts = filled(pin.id)
    if (pin.type !== 'C' || !ts) yield remark('skipped', 'pin', 'is no pin of a message', record.id)
    else
      yield {
        kind: 'pin',
        message_id: messageId(record.id, ts),
        chat_id: record.id,
        person_id: filled(pin.user),
        at: seconds(pin.created),
      }
  }
}

/** The pin of a message that says itself that it is pinned to its chat. */
function* readOwnPin(chatId: string, entry: JsonObject): Iterable<ImportRecord> {
  const ts = filled(entry.ts)
  if (!ts || !asIds(entry.pinned_to).includes(chatId)) return
  const { pinned_by, pinned_ts } = asObject(entry.pinned_info)
  const message_id = messageId(chatId, ts)
  yield { kind: 'pin', message_id, chat_id: chatId, person_id: filled(pinned_by), at: seconds(pinned_ts) }
}

/** One damaged day does not end the reading. */
async function* readDay(
  archive: Archive,
  reading: Reading,
  chat: { id: string; listsPins: boolean },
  name: string,
): AsyncIterable<ImportRecord | Remark> {
  try {
    for await (const entry of readArray(archive, name)) {
      if (!isObject(entry)) {
        yield remark('skipped', 'message', 'is no object', name)
        continue
      }
      yield* readMessage(reading, chat.id, entry)
      if (!chat.listsPins) yield* readOwnPin(chat.id, entry)
    }
  } catch (error) {
    yield unreadable(name, error)
  }
}

async function findToken(archive: Archive): Promise<string | null> {
  for (const name of [...archive.entries.keys()].filter(isDay)) {
    try {
      for await (const entry of readArray(archive, name)) {
        const tokens = isObject(entry) ? filesOf(entry).map(tokenOf) : []
        const found = tokens.find((token) => token !== null)
        if (found) return found
      }
    } catch {
      // A damaged day is reported where its messages are read.
    }
  }
  return null
}
