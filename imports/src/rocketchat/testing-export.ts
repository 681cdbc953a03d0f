import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { Binary, Long, ObjectId, serialize } from 'bson'
import { PICTURE } from '../testing-picture.js'
import { rocketChatMessages } from './testing-messages.js'

/** Collections of a dump: documents, or bytes of ones that are damaged. */
export type Collections = Record<string, (object | Buffer)[]>

const SECRET = 'planted-secret'
const at = (second: number) => new Date(1_600_000_000_000 + second * 1000)

function users(): object[] {
  const services = { password: { bcrypt: SECRET }, resume: { loginTokens: [{ hashedToken: SECRET }] } }
  const user = (_id: string, username: string | undefined, more: object = {}) => ({
    _id,
    ...(username !== undefined && {
      username,
      name: username,
      emails: [{ address: `${username}@example.org` }],
    }),
    roles: ['user'],
    type: 'user',
    active: true,
    createdAt: at(0),
    services,
    ...more,
  })
  return [
    user('anna', 'anna.b', {
      name: 'Anna Berg',
      emails: [{ address: 'Anna@Example.org', verified: true }],
      roles: ['user', 'admin'],
      customFields: { Office: 'Oslo', vip: true, empty: '' },
    }),
    user('boris', 'boris'),
    // The same address in other letters: one person, whose personal chat then is the same as the other's.
    user('boris2', 'boris.old', { active: false, emails: [{ address: 'BORIS@example.org' }] }),
    user('carl', 'carl', { active: false }),
    // Never finished registration.
    user('nobody', undefined, { name: null, emails: undefined, roles: [] }),
    user('gus', 'gus', { roles: ['guest'] }),
    // Renamed since the reaction: found by the full name.
    user('dora', 'dora.new', { name: 'Dora Renamed' }),
    // Two people of one name: neither is found by it.
    user('twin1', 'twin1', { name: 'Same Name' }),
    user('twin2', 'twin2', { name: 'Same Name' }),
    user('rocket.cat', 'rocket.cat', { name: 'Rocket.Cat', type: 'bot', emails: undefined }),
    user('app1', 'poll.app', { type: 'app', emails: undefined, roles: ['app'] }),
    { username: 'no id' },
  ]
}

function rooms(): object[] {
  const room = (_id: string, t: string, more: object = {}) => ({ _id, t, name: _id, ts: at(0), ...more })
  return [
    room('general', 'c', {
      fname: 'General ✓',
      topic: 'Everything',
      announcement: 'Mind the gap',
      e2eKey: SECRET,
    }),
    room('news', 'c', { ro: true }),
    room('closed', 'p', { archived: true, lm: at(500) }),
    // A channel of a private team is open to the team alone.
    room('squad', 'c', { teamId: 'team1', teamMain: true }),
    room('annaboris', 'd', { uids: ['anna', 'boris'], usernames: ['anna.b', 'boris'] }),
    // Two rooms of one pair, once their accounts are joined.
    room('annaboris2', 'd', { usernames: ['anna.b', 'boris.old'] }),
    room('annaanna', 'd', { uids: ['anna'] }),
    room('three', 'd', { uids: ['anna', 'boris', 'gus'], name: undefined }),
    // Members of this one stand in the subscriptions alone.
    room('ghostroom', 'd', { name: undefined }),
    room('empty', 'd', { uids: [] }),
    // Discussions: one below a message, one with a member from outside, one whose message is gone, one in a discussion.
    room('talk1', 'c', { prid: 'general', fname: 'Lunch plans' }),
    room('talk2', 'p', { prid: 'closed', fname: 'With a guest' }),
    room('talk3', 'c', { prid: 'general', fname: 'Without its message' }),
    room('talk4', 'c', { prid: 'talk1', fname: 'Deeper' }),
    room('help', 'l'),
    room('odd', 'x'),
    { t: 'c', name: 'no id' },
  ]
}

function subscriptions(): object[] {
  const member = (rid: string, person: string, ...roles: string[]) => ({
    _id: `${rid}-${person}`,
    rid,
    u: { _id: person },
    roles,
    ts: at(1),
    E2EKey: SECRET,
  })
  return [
    member('general', 'anna', 'owner'),
    { ...member('general', 'boris', 'owner'), ts: at(9) },
    member('general', 'gus', 'leader'),
    member('general', 'rocket.cat'),
    member('general', 'dora', 'moderator'),
    member('news', 'anna', 'owner'),
    member('news', 'boris'),
    member('closed', 'boris', 'owner'),
    member('closed', 'anna'),
    member('squad', 'anna', 'owner'),
    member('talk1', 'gus'),
    member('talk2', 'boris'),
    member('talk2', 'gus'),
    member('talk3', 'anna'),
    member('ghostroom', 'anna'),
    member('ghostroom', 'removed1'),
    member('nowhere', 'anna'),
  ]
}

function uploads(): object[] {
  const upload = (_id: string, more: object = {}) => ({
    _id,
    name: `${_id}.txt`,
    size: 10,
    type: 'text/plain',
    rid: 'general',
    userId: 'anna',
    store: 'GridFS:Uploads',
    complete: true,
    uploadedAt: at(2),
    token: SECRET,
    ...more,
  })
  return [
    upload('grid', { name: '../../o\u0308l.txt' }),
    upload('torn'),
    upload('zero', { size: 0 }),
    upload('disk', { store: 'FileSystem:Uploads', size: Long.fromNumber(4), description: 'from the disk' }),
    upload('cloud', {
      store: 'AmazonS3:Uploads',
      AmazonS3: { path: `x/uploads/general/anna/cloud?${SECRET}` },
    }),
    upload('half', { complete: false }),
    upload('thumb', { name: 'thumb-grid.png', typeGroup: 'thumb' }),
    upload('sealed', { content: { algorithm: 'rc.v1.aes-sha2', ciphertext: SECRET } }),
    upload('served', { rid: 'help' }),
  ]
}

function chunks(): object[] {
  const chunk = (files_id: unknown, n: number, text: string) => ({
    _id: new ObjectId(),
    files_id,
    n,
    data: new Binary(Buffer.from(text)),
  })
  // In no order, and the second part of `torn` is not there.
  return [chunk('grid', 1, '67890'), chunk('torn', 0, '12345'), chunk('grid', 0, '12345')]
}

/** A dump with every trap: small, and each document there for a reason that a comment or its text tells. */
export function rocketChatDump(): Collections {
  return {
    users: users(),
    rocketchat_room: rooms(),
    rocketchat_subscription: subscriptions(),
    rocketchat_team: [{ _id: 'team1', name: 'Squad', type: 1, roomId: 'squad' }],
    rocketchat_team_member: [
      { teamId: 'team1', userId: 'anna' },
      { teamId: 'team1', userId: 'removed9' },
    ],
    rocketchat_uploads: uploads(),
    'rocketchat_uploads.files': [],
    'rocketchat_uploads.chunks': chunks(),
    rocketchat_message: rocketChatMessages(at),
    rocketchat_settings: [
      { _id: 'SMTP_Password', value: SECRET },
      { _id: 'uniqueID', value: 'installation-7' },
    ],
    rocketchat_sessions: [{ _id: 's', loginToken: SECRET }],
    instances: [],
    rocketchat_avatars: [
      { _id: 'av1', name: 'anna.b', userId: 'anna', store: 'GridFS:Avatars', size: PICTURE.length },
      // Older ones name no account; this one lacks a part.
      { _id: 'av2', name: 'boris', store: 'GridFS:Avatars', size: PICTURE.length },
      { _id: 'av3', name: 'dora.new', store: 'GridFS:Avatars', size: 999 },
      { _id: 'av4', name: 'carl', rid: 'general', store: 'GridFS:Avatars', size: PICTURE.length },
      // The last document breaks off.
      Buffer.from([200, 0, 0, 0, 2]),
    ],
    'rocketchat_avatars.chunks': ['av1', 'av2', 'av3', 'av4'].map((files_id) => ({
      _id: new ObjectId(),
      files_id,
      n: 0,
      data: new Binary(PICTURE),
    })),
  }
}

function bytesOf(documents: readonly (object | Buffer)[]): Buffer {
  return Buffer.concat(
    documents.map((document) =>
      Buffer.isBuffer(document) ? document : Buffer.from(serialize(document, { ignoreUndefined: true })),
    ),
  )
}

/** The files that mongodump writes into a folder. */
export function rocketChatFolder(
  collections: Collections,
  { folder = 'dump/rocketchat', gzip = false } = {},
): Record<string, Buffer> {
  return Object.fromEntries(
    Object.entries(collections).flatMap(([name, documents]) => {
      const bytes = bytesOf(documents)
      return [
        [`${folder}/${name}.bson${gzip ? '.gz' : ''}`, gzip ? gzipSync(bytes) : bytes],
        [`${folder}/${name}.metadata.json${gzip ? '.gz' : ''}`, Buffer.from('{}')],
      ]
    }),
  )
}

const MAGIC = Buffer.from([0x6d, 0xe2, 0x99, 0x81])
const END = Buffer.from([0xff, 0xff, 0xff, 0xff])

/** The single file of `mongodump --archive`: blocks of a header, documents and a terminator, collections interleaved. */
export async function writeMongoArchive(path: string, collections: Collections, gzip: boolean) {
  const block = (header: object, ...documents: Buffer[]) => [
    Buffer.from(serialize(header)),
    ...documents,
    END,
  ]
  const names = Object.keys(collections)
  const header = { concurrent_collections: 4, version: '0.1', server_version: '7.0', tool_version: '100.9' }
  const of = (collection: string) => ({ db: 'parties', collection, EOF: false, CRC: Long.ZERO })
  const longest = Math.max(...names.map((name) => collections[name]?.length ?? 0))
  const rounds = Array.from({ length: Math.ceil(longest / 3) }, (_, round) =>
    names.flatMap((name) => {
      const documents = (collections[name] ?? []).slice(round * 3, round * 3 + 3)
      // An archive is whole or damaged as a whole: broken bytes cannot stand in it.
      const whole = documents.filter((document) => !Buffer.isBuffer(document))
      return whole.length > 0 ? block(of(name), bytesOf(whole)) : []
    }),
  )
  const parts = [
    MAGIC,
    ...block(
      header,
      bytesOf(names.map((name) => ({ ...of(name), metadata: '{}', size: 1, type: 'collection' }))),
    ),
    ...block({ ...of('..'), db: '../../outside' }, bytesOf([{ a: 1 }])),
    ...rounds.flat(),
    ...names.flatMap((name) => block({ ...of(name), EOF: true })),
  ]
  const target = createWriteStream(path)
  if (gzip) await pipeline(Readable.from(parts), createGzip(), target)
  else await pipeline(Readable.from(parts), target)
}

/** The ZIP of its CSV importer. */
export function rocketChatCsv(): Record<string, unknown> {
  const ms = 1_600_000_000_000
  return {
    'users.csv': 'username,email,name\nann,Ann@Example.org,Ann Lee\nben,,\nann,twice@example.org,Twice\n',
    'channels.csv': '"open","ann","public","ann;ben"\nhidden,ben,private,ben;gone\n,,,\n',
    'open/messages.csv': `ann,${ms},"Hello, *@ben*\nand ""you"""\nben,never,no time\ngone,${ms + 1},from nobody described\n`,
    'hidden/messages.csv': `ben,${ms + 2},only us\n`,
    'nowhere/messages.csv': `ben,${ms},no such channel\n`,
    'directmessages/messages.csv': `ann,ben,${ms + 3},psst\nben,ann,${ms + 4},yes?\nann,ann,${ms + 5},to self\n`,
  }
}
