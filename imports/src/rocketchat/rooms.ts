import { directChat } from '../direct-chats.js'
import { asIds, asObject, filled, type JsonObject } from '../json.js'
import {
  type ChatMemberRecord,
  type ChatRecord,
  type ImportRecord,
  isWanted,
  type ReadOptions,
  type Remark,
  remark,
} from '../records.js'
import { idOf, timeOf } from './documents.js'
import { Damage, type Dump } from './dump.js'
import { knownOr, nameOf, type People } from './people.js'
import type { Teams } from './teams.js'

const FIELDS = new Set([
  '_id',
  't',
  'name',
  'fname',
  'topic',
  'description',
  'announcement',
  'ro',
  'broadcast',
  'archived',
  'uids',
  'usernames',
  'prid',
  'teamId',
  'ts',
  'lm',
])
const SUBSCRIPTION_FIELDS = new Set(['rid', 'u', 'roles', 'ts'])

export interface Room {
  id: string
  /** Of channels and groups: what they become. Direct chats are made of their members. */
  record: ChatRecord | null
  direct: string[] | null
  /** The room that a discussion belongs to. */
  parent: string | null
  members: Map<string, Member>
  /** Open to the members of its team, which nothing is here. */
  team_only: boolean
}

interface Member {
  role: 'admin' | 'member'
  owner: boolean
  since: number
}

export interface Rooms {
  rooms: Map<string, Room>
  /** Rooms that are left out, and why: their messages are left out with them. */
  skipped: Map<string, string>
}

export async function* readRooms(dump: Dump, people: People, teams: Teams): AsyncGenerator<Remark, Rooms> {
  const found: Rooms = { rooms: new Map(), skipped: new Map() }
  for await (const room of dump.read('rocketchat_room', FIELDS, 'chat')) {
    const id = room instanceof Damage ? null : idOf(room._id)
    if (room instanceof Damage) yield room.remark
    else if (id === null || found.rooms.has(id))
      yield remark('skipped', 'chat', id === null ? 'has no id' : 'is there twice', id ?? '')
    else {
      const fault = faultOf(room)
      if (fault) {
        found.skipped.set(id, fault)
        yield remark('skipped', 'chat', fault, id)
      } else found.rooms.set(id, roomOf(room, id, people, teams))
    }
  }
  yield* readSubscriptions(dump, people, found)
  return found
}

function faultOf({ t }: JsonObject): string | null {
  if (t === 'l' || t === 'v') return 'is a room of customer service'
  return t === 'c' || t === 'p' || t === 'd' ? null : 'is a room of an unknown kind'
}

function roomOf(room: JsonObject, id: string, people: People, teams: Teams): Room {
  const parent = idOf(room.prid)
  const team = idOf(room.teamId)
  const team_only = room.t === 'c' && team !== null && teams.get(team)?.public !== true
  const base = { id, parent, members: new Map<string, Member>(), team_only }
  if (room.t === 'd') return { ...base, record: null, direct: directMembers(room, people) }
  const texts = [filled(room.topic), filled(room.description), filled(room.announcement)]
  const lines = [...new Set(texts.flatMap((text) => text ?? []))]
  return {
    ...base,
    direct: null,
    record: {
      kind: 'chat',
      id,
      type: room.ro === true || room.broadcast === true ? 'channel' : 'conversation',
      name: filled(room.fname) ?? filled(room.name) ?? `Room ${id}`,
      description: lines.length > 0 ? lines.join('\n') : null,
      public: room.t === 'c' && !team_only,
      owner_id: null,
      people: [],
      archived: room.archived === true,
      archived_at: room.archived === true ? timeOf(room.lm) : null,
      created_at: timeOf(room.ts),
    },
  }
}

/** Ids, else user names; a name that nobody has now is left to the subscriptions. */
function directMembers(room: JsonObject, { byUsername }: People): string[] {
  const ids = asIds(room.uids)
  const members = ids.length > 0 ? ids : asIds(room.usernames).flatMap((name) => byUsername.get(name) ?? [])
  return [...new Set(members)]
}

async function* readSubscriptions(dump: Dump, people: People, { rooms }: Rooms): AsyncIterable<Remark> {
  for await (const row of dump.read('rocketchat_subscription', SUBSCRIPTION_FIELDS, 'chat_member')) {
    if (row instanceof Damage) {
      yield row.remark
      continue
    }
    const person = idOf(asObject(row.u)._id)
    const room = rooms.get(idOf(row.rid) ?? '')
    if (!room || person === null) continue
    const roles = asIds(row.roles)
    const owner = roles.includes('owner')
    const role = owner || roles.includes('moderator') ? 'admin' : 'member'
    room.members.set(person, { role, owner, since: timeOf(row.ts) ?? Number.MAX_SAFE_INTEGER })
  }
  for (const [person, ids] of people.rooms) for (const id of ids) addMember(rooms.get(id), person)
  for (const room of rooms.values()) if (room.direct?.length === 0) room.direct = [...room.members.keys()]
}

/** A member of whom nothing more is known. */
export function addMember(room: Room | undefined, person: string) {
  if (room && !room.members.has(person))
    room.members.set(person, { role: 'member', owner: false, since: Number.MAX_SAFE_INTEGER })
}

/** Chats with their members. Those that were not asked for are noted among the skipped. */
export function* tellRooms(
  found: Rooms,
  threads: ReadonlySet<string>,
  people: People,
  options: ReadOptions,
): Iterable<ImportRecord | Remark> {
  for (const room of found.rooms.values()) {
    if (threads.has(room.id)) {
      yield remark('warning', 'chat', 'is a discussion, and becomes a thread', room.id)
      continue
    }
    const chat = chatOf(room, people)
    if (chat && isWanted(chat, options))
      yield* room.record ? tellRoom(room, chat, people) : tellDirect(room, people)
    else {
      const reason = chat ? 'was not asked for' : 'has no members'
      found.skipped.set(room.id, reason)
      yield remark('skipped', 'chat', reason, room.id)
    }
  }
}

function chatOf(room: Room, people: People): ChatRecord | null {
  if (room.record) return room.record
  const members = room.direct ?? []
  if (members.length === 0) return null
  const [chat] = directChat(room.id, members, (id) => nameOf(people, id))
  return chat as ChatRecord
}

function* tellRoom(room: Room, record: ChatRecord, people: People): Iterable<ImportRecord | Remark> {
  const owners = [...room.members].filter(([id, { owner }]) => owner && people.people.has(id))
  const first = owners.sort(([, a], [, b]) => a.since - b.since)[0]
  yield { ...record, owner_id: first?.[0] ?? null }
  if (room.team_only) yield remark('warning', 'chat', 'was open to its team, and is closed here', room.id)
  for (const [person_id, { role }] of room.members) {
    if (people.bots.has(person_id))
      yield remark('skipped', 'chat_member', 'is a bot', `${room.id}:${person_id}`)
    else {
      yield* knownOr(people, person_id)
      const member: ChatMemberRecord = { kind: 'chat_member', chat_id: room.id, person_id, role }
      yield member
    }
  }
}

function* tellDirect(room: Room, people: People): Iterable<ImportRecord> {
  const members = room.direct ?? []
  for (const id of members) yield* knownOr(people, id)
  yield* directChat(room.id, members, (id) => nameOf(people, id))
}

/** What a room is called where a text names it. */
export function roomName(room: Room, people: People): string {
  return chatOf(room, people)?.name ?? room.id
}

/** Who can read a discussion below another room: all who can read that room, and its own members. */
export function mayBecomeThread(discussion: Room, parent: Room): boolean {
  const open = discussion.record?.public === true
  if (open !== (parent.record?.public === true)) return false
  const inside = parent.direct ?? parent.members
  const has = (id: string) => (Array.isArray(inside) ? inside.includes(id) : inside.has(id))
  return open || [...discussion.members.keys()].every(has)
}
