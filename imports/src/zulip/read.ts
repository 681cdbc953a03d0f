import { type Archive, ArchiveError } from '../archive/archive.js'
import { sourceOf, tellUnread } from '../archive-source.js'
import { filled, readMember } from '../json.js'
import { type ImportRecord, type ReadOptions, type Remark, type Source, unreadable } from '../records.js'
import { readFields } from './fields.js'
import { type Reading, readMessage } from './messages.js'
import { namesOf } from './names.js'
import { readBot, readPerson } from './people.js'
import { findPictures } from './pictures.js'
import { learnEmoji, readReactions } from './reactions.js'
import { readStreams } from './streams.js'
import { readTables } from './tables.js'
import { findRoots } from './topics.js'
import { readFiles } from './uploads.js'

const KNOWN =
  /^((realm|attachment|analytics|stats|migration_status|messages-\d+)\.json|(uploads|avatars|emoji|realm_icons)\/.+)$/

const LOST = [
  'former texts of edited messages',
  'stars, mutes, followed topics and read marks',
  'folders of streams, linkifiers and filters',
  'scheduled messages and saved snippets',
  'who voted in polls',
  'pictures of custom emoji',
  'who could see the history of a stream with protected history: all its members can now',
]

/** Files of messages in the order of their numbers. */
function messageFiles(archive: Archive): string[] {
  return [...archive.entries.keys()].filter((name) => /^messages-\d+\.json$/.test(name)).sort()
}

export function isZulip(archive: Archive): boolean {
  return archive.entries.has('realm.json') && messageFiles(archive).length > 0
}

export async function openZulip(
  archive: Archive,
  workspace: string | null,
  options: ReadOptions,
): Promise<Source> {
  if (!isZulip(archive))
    throw new ArchiveError('the archive is no Zulip export: it has no realm.json or no messages')
  const records = () => readAll(archive, options)
  const realm = workspace ?? (await realmOf(archive)) ?? 'zulip'
  return sourceOf(archive, { name: 'zulip', workspace: realm, lost: LOST, records })
}

/**
 * What tells two organisations apart, whose ids are the same small numbers. That at the top of a host has no name but its UUID.
 * Without its tables an export says nothing: they are read to their end before anything is written.
 */
async function realmOf(archive: Archive): Promise<string | null> {
  let realm: string | null = null
  try {
    for await (const { string_id, uuid } of readMember(archive, 'realm.json', 'zerver_realm'))
      realm ??= filled(string_id) ?? filled(uuid)
  } catch (error) {
    throw new ArchiveError(`the archive is damaged: realm.json ${(error as Error).message.slice(0, 100)}`)
  }
  return realm
}

async function* readAll(archive: Archive, options: ReadOptions): AsyncIterable<ImportRecord | Remark> {
  yield* tellUnread(archive, KNOWN)
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
    namesFor: namesOf(tables, await learnEmoji(archive)),
    chats: new Set(),
    roots: new Map(),
    lastTopics: new Map(),
    files: new Map(),
    authors: new Set([...tables.people.keys(), ...tables.dummies.keys(), ...tables.bots.keys()]),
  }
  yield* readStreams(reading)
  if (!options.without_files) yield* readFiles(archive, reading)
  const names = messageFiles(archive)
  if (options.topics !== 'flat') reading.roots = await findRoots(archive, names, reading)
  yield* readMessages(archive, names, reading)
  yield* readReactions(archive, tables)
}

/** One damaged file does not end the reading. */
async function* readMessages(
  archive: Archive,
  names: readonly string[],
  reading: Reading,
): AsyncIterable<ImportRecord | Remark> {
  for (const name of names) {
    try {
      for await (const message of readMember(archive, name, 'zerver_message'))
        yield* readMessage(reading, message)
    } catch (error) {
      yield unreadable(name, error)
    }
  }
}
