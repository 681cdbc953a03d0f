import type { Archive } from '../archive/archive.js'
import { asObject, filled, type JsonObject } from '../json.js'
import { type ImportRecord, type ReadOptions, type Remark, remark, type Source } from '../records.js'
import { ChunkIndex } from './chunks.js'
import { idOf } from './documents.js'
import { Damage, type Dump, openDump } from './dump.js'
import { openPath, readUploads } from './files.js'
import { type Reading, readMessage } from './messages.js'
import { type People, readPeople } from './people.js'
import { findPictures } from './pictures.js'
import { addMember, mayBecomeThread, type Rooms, readRooms, tellRooms } from './rooms.js'
import { readTeams } from './teams.js'

const LOST = [
  'texts of encrypted messages and bytes of encrypted files',
  'stars, favourites and read marks',
  'former texts of edited messages',
  'pictures of custom emoji',
  'times of reactions',
  'roles and permissions beyond admin, guest, owner and moderator',
  'rooms of customer service, canned answers and integrations',
  "data of apps, and people's status",
]

const MESSAGE_FIELDS = new Set([
  '_id',
  'rid',
  'msg',
  'md',
  'ts',
  'u',
  't',
  'tmid',
  'tshow',
  'tcount',
  'editedAt',
  'reactions',
  'mentions',
  'channels',
  'file',
  'files',
  'attachments',
  'pinned',
  'pinnedAt',
  'pinnedBy',
  'alias',
  'avatar',
  '_hidden',
  'parent',
  'content',
])
const FIRST_FIELDS = new Set(['_id', 'rid', 'drid', 'tmid', '_hidden', 'u'])

export async function openRocketChat(
  archive: Archive,
  workspace: string | null,
  options: ReadOptions,
): Promise<Source> {
  const dump = openDump(archive)
  const uploads = new ChunkIndex(dump, 'rocketchat_uploads')
  const avatars = new ChunkIndex(dump, 'rocketchat_avatars')
  return {
    name: 'rocketchat',
    workspace: workspace ?? (await uniqueId(dump)) ?? 'rocketchat',
    lost: LOST,
    records: () => readAll(dump, uploads, avatars, options),
    openFile: (path) => openPath(dump, [uploads, avatars], path),
    async close() {
      await uploads.close()
      await avatars.close()
      await dump.close()
    },
  }
}

/** What tells two installations apart. The settings hold secrets: only this one is looked at. */
async function uniqueId(dump: Dump): Promise<string | null> {
  for await (const setting of dump.read('rocketchat_settings', new Set(['_id']))) {
    if (setting instanceof Damage || setting._id !== 'uniqueID') continue
    for await (const found of dump.read('rocketchat_settings', new Set(['_id', 'value'])))
      if (!(found instanceof Damage) && found._id === 'uniqueID') return filled(found.value)
  }
  return null
}

async function* readAll(
  dump: Dump,
  chunks: ChunkIndex,
  avatars: ChunkIndex,
  options: ReadOptions,
): AsyncIterable<ImportRecord | Remark> {
  for (const entry of dump.archive.refused) yield remark('skipped', 'entry', 'is refused', entry)
  const people = yield* readPeople(dump, yield* findPictures(dump, avatars))
  const teams = yield* readTeams(dump, people)
  const rooms = yield* readRooms(dump, people, teams)
  const threads = await findThreads(dump, people, rooms)
  yield* tellRooms(rooms, new Set(threads.keys()), people, options)
  const reading: Reading = {
    people,
    rooms,
    threads,
    uploads: new Map(),
    unknownFiles: new Set(),
    integrations: false,
    options,
  }
  if (!options.without_files) {
    await chunks.fill()
    reading.uploads = yield* readUploads(dump, chunks, rooms)
  }
  for await (const message of dump.read('rocketchat_message', MESSAGE_FIELDS, 'message')) {
    if (message instanceof Damage) yield message.remark
    else yield* readOne(reading, message)
  }
}

/** One message that cannot be read does not end the reading. */
function* readOne(reading: Reading, message: JsonObject): Iterable<ImportRecord | Remark> {
  try {
    yield* readMessage(reading, message)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    yield remark('skipped', 'message', 'is damaged', idOf(message._id) ?? '')
  }
}

/** A first pass: which discussions hang under a message of their room, how removed people were called, who wrote where. */
async function findThreads(dump: Dump, people: People, { rooms }: Rooms): Promise<Reading['threads']> {
  const threads: Reading['threads'] = new Map()
  const subscribed = dump.has('rocketchat_subscription')
  for await (const message of dump.read('rocketchat_message', FIRST_FIELDS)) {
    if (message instanceof Damage || message._hidden === true) continue
    const rid = idOf(message.rid) ?? ''
    const room = rooms.get(rid)
    const author = noteAuthor(people, asObject(message.u))
    if (!subscribed && author !== null && room?.record?.public) addMember(room, author)
    const [root, drid] = [idOf(message._id), idOf(message.drid)]
    const discussion = rooms.get(drid ?? '')
    if (!root || !discussion || !room || threads.has(discussion.id)) continue
    // A message within a thread, or within a discussion, carries no thread of its own.
    const hangs = discussion.parent === rid && room.parent === null && idOf(message.tmid) === null
    if (hangs && mayBecomeThread(discussion, room)) threads.set(discussion.id, { root, chat: rid })
  }
  return threads
}

function noteAuthor({ people, bots, former }: People, user: JsonObject): string | null {
  const id = idOf(user._id)
  const name = filled(user.name) ?? filled(user.username)
  if (id !== null && name && !people.has(id) && !bots.has(id)) former.set(id, name)
  return id
}
