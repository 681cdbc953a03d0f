import { type Archive, ArchiveError } from '../archive/archive.js'
import { sourceOf, tellUnread } from '../archive-source.js'
import { directChat, directId } from '../direct-chats.js'
import { asObject, asText, filled, isObject, type JsonObject } from '../json.js'
import { readLines } from '../lines.js'
import {
  type ImportRecord,
  isWanted,
  type ReadOptions,
  type Remark,
  remark,
  type Source,
} from '../records.js'
import { type Channel, membersOf, readChannel, readMemberships, tellApart } from './chats.js'
import { readBot, readPerson } from './people.js'
import { type Reading, readPost } from './posts.js'

const KNOWN_ENTRIES = /^([^/]+\.jsonl?|warnings\.txt|(data|exported_emoji)\/.+)$/i

const LOST = [
  'roles and schemes beyond admin and guest',
  'favourites, drafts, saved posts and custom status',
  'playbooks, boards and calls',
  'who pinned, and when',
  'former texts of edited posts, and deleted ones',
  'permalinks',
  'nicknames of people beside their names, and their languages',
  'pictures of custom emoji',
]

interface Line {
  type: string
  value: JsonObject
}

/** The JSONL of the export: the only one at the top whose first line has a version. */
export async function findLines(archive: Archive): Promise<string | null> {
  for (const name of archive.entries.keys()) {
    if (name.includes('/') || !/\.jsonl?$/i.test(name)) continue
    const stream = await archive.open(name)
    for await (const line of readLines(stream)) {
      stream.destroy()
      if (line && parse(line)?.type === 'version') return name
      break
    }
  }
  return null
}

/** Editors on Windows put a byte order mark before the first line. */
function parse(line: string): Line | null {
  try {
    const value: unknown = JSON.parse(line.replace(/^\ufeff/, ''))
    const type = isObject(value) ? asText(value.type) : null
    if (!isObject(value) || !type) return null
    return { type, value: type === 'version' ? value : asObject(value[type]) }
  } catch {
    return null
  }
}

export function openMattermost(
  archive: Archive,
  lines: string,
  workspace: string | null,
  options: ReadOptions,
): Source {
  if (!archive.entries.has(lines)) throw new ArchiveError(`the archive has no ${lines}`)
  const records = () => readAll(archive, lines, options)
  return sourceOf(archive, { name: 'mattermost', workspace: workspace ?? 'mattermost', lost: LOST, records })
}

async function* linesOf(archive: Archive, name: string): AsyncIterable<Line | null> {
  for await (const line of readLines(await archive.open(name)))
    if (line === null || line.trim() !== '') yield line === null ? null : parse(line)
}

interface Described {
  teams: Map<string, string>
  channels: Channel[]
  people: Map<string, JsonObject>
  bots: Map<string, JsonObject>
}

/** The first pass: emoji may come last and bots after people, so that everybody is known before a post is read. */
async function describe(archive: Archive, name: string): Promise<Described> {
  const found: Described = { teams: new Map(), channels: [], people: new Map(), bots: new Map() }
  for await (const line of linesOf(archive, name)) {
    if (!line) continue
    const { type, value } = line
    const named = filled(value.username) ?? filled(value.name)
    if (!named) continue
    if (type === 'team') found.teams.set(named, filled(value.display_name) ?? named)
    if (type === 'user') found.people.set(named, { ...value, auth_data: null, password: null })
    if (type === 'bot') found.bots.set(named, value)
    if (type === 'channel') found.channels.push(readChannel(value, asText(value.team) ?? '', named))
  }
  for (const bot of found.bots.keys()) found.people.delete(bot)
  tellApart(found.channels, found.teams)
  return found
}

async function* readAll(
  archive: Archive,
  name: string,
  options: ReadOptions,
): AsyncIterable<ImportRecord | Remark> {
  yield* tellUnread(archive, KNOWN_ENTRIES)
  const { channels, people, bots } = await describe(archive, name)
  for (const [id, user] of people) yield { ...readPerson(user, id), ...pictureOf(archive, user) }
  for (const [id, bot] of bots) yield readBot(bot, id)
  const wanted = channels.filter(({ record }) => isWanted(record, options))
  const ids = new Set(wanted.map(({ id }) => id))
  for (const { record } of wanted) yield record
  for (const { id } of channels) if (!ids.has(id)) yield remark('skipped', 'chat', 'was not asked for', id)
  for (const [id, user] of people)
    for (const member of readMemberships(user, id)) if (ids.has(member.chat_id)) yield member

  const reading: Reading = {
    options,
    people: new Set(people.keys()),
    bots: new Set(bots.keys()),
    channels: new Map(channels.map(({ id, record }) => [id, record.name])),
    files: new Set(),
    findBytes: (path) => bytesOf(archive, path),
    sizeOf: (entry) => archive.entries.get(entry)?.size ?? null,
    webhooks: false,
    times: new Map(),
  }
  const nameOf = (id: string) => {
    const user = people.get(id)
    return [filled(user?.first_name), filled(user?.last_name)].filter(Boolean).join(' ') || id
  }
  yield* readPosts(archive, name, reading, ids, nameOf)
}

async function* readPosts(
  archive: Archive,
  name: string,
  reading: Reading,
  channels: ReadonlySet<string>,
  nameOf: (person: string) => string,
): AsyncIterable<ImportRecord | Remark> {
  const direct = new Set<string>()
  for await (const line of linesOf(archive, name)) {
    if (!line) {
      yield remark('skipped', 'entry', 'is a line that cannot be read', name)
      continue
    }
    const { type, value } = line
    if (type === 'post') {
      const team = asText(value.team) ?? ''
      const chat = `${team}/${asText(value.channel) ?? ''}`
      if (channels.has(chat)) yield* readPost(reading, chat, team, value)
      else yield remark('skipped', 'message', 'is in a chat that was not asked for', chat)
    } else if (type === 'direct_post') {
      if (reading.options.only_public || reading.options.chats)
        yield remark('skipped', 'message', 'is in a chat that was not asked for', 'direct')
      else yield* readDirect(reading, value, direct, nameOf)
    } else if (COUNTED.has(type))
      yield remark('skipped', 'entry', `is of the kind ${type}`, filled(value.name) ?? name)
    else if (!KNOWN.has(type)) yield remark('skipped', 'entry', `is of the unknown kind ${type}`, name)
  }
}

/** There is nothing like them here: they are counted. */
const COUNTED = new Set(['role', 'scheme', 'emoji'])

const KNOWN = new Set(['version', 'team', 'channel', 'user', 'bot', 'direct_channel'])

/** Many direct channels hold no posts: a chat is made by its first one. */
function* readDirect(
  reading: Reading,
  post: JsonObject,
  known: Set<string>,
  nameOf: (person: string) => string,
): Iterable<ImportRecord | Remark> {
  const members = membersOf({ members: post.channel_members })
  if (members.length === 0) return yield remark('skipped', 'message', 'is a direct post to nobody', '')
  const id = directId(members)
  if (!known.has(id)) {
    known.add(id)
    yield* directChat(id, members, nameOf)
  }
  yield* readPost(reading, id, '', post)
}

function pictureOf(archive: Archive, user: JsonObject): { picture?: string } {
  const path = filled(user.profile_image)
  const picture = path && bytesOf(archive, path)
  return picture ? { picture } : {}
}

/** Paths are relative to `data/`; older ones begin with the folder of the server. */
function bytesOf(archive: Archive, path: string): string | null {
  const clean = path.normalize('NFC').replace(/^\/+/, '')
  const tail = clean.includes('/data/') ? clean.slice(clean.indexOf('/data/') + 1) : `data/${clean}`
  return [tail, clean].find((name) => archive.entries.has(name)) ?? null
}
