import { type ChatMemberRecord, type ChatRecord, cut, remark } from '@parley/imports'
import {
  type ImportedChat,
  insertImportedChats,
  insertImportedMembers,
  listPersonalChats,
} from '../chats/import-queries.js'
import { personalKey } from '../chats/personal.js'
import { now } from '../platform/clock.js'
import type { Db, Tx } from '../platform/db/index.js'
import { listChatNames } from './chat-queries.js'
import { findKeys, insertKeys, type Key, type RecordRow } from './queries.js'
import { type Outcome, outcome, type Phase, type Run, timeOf, writeResolved } from './run-state.js'

type Row = RecordRow<ChatRecord>

const NAME = 255

export async function rememberChats(db: Db, run: Run, ids: ReadonlyMap<string, number>) {
  const names = await listChatNames(db, [...ids.values()])
  for (const [source_id, id] of ids) run.chats.set(source_id, { id, name: names.get(id) ?? '' })
}

function chatOf(run: Run, { body }: Row, people: readonly number[]): ImportedChat {
  const imported = run.row.created_at.getTime() * 1000
  const created = timeOf(body.created_at ?? imported)
  const owner = run.people.get(body.owner_id ?? '')
  const prefix = (run.row.options as { name_prefix?: string }).name_prefix ?? ''
  const personal = body.type === 'personal'
  return {
    kind: body.type,
    name: personal ? '' : cut(`${prefix}${body.name}`, NAME) || 'Chat',
    description: body.description,
    public: body.public,
    owner_id: (personal ? people[0] : owner?.former ? undefined : owner?.id) ?? run.row.user_id,
    personal_key: personal ? personalKey(people[0] as number, (people[1] ?? people[0]) as number) : null,
    archived_at: body.archived ? timeOf(body.archived_at ?? imported) : null,
    created_at: created,
  }
}

/** Whose a personal chat is, here; two accounts of one person make it a chat with oneself. */
function peopleOf(run: Run, { body }: Row): number[] {
  return [...new Set(body.people.flatMap((id) => run.people.get(id)?.id ?? []))]
}

type Known = Awaited<ReturnType<typeof listPersonalChats>>

/**
 * What becomes of each chat: it is one that is here, one to make, the same as another one to make, or is skipped. Two
 * rooms of the same people are one chat: messages are sorted by time whatever room they come from.
 */
function sortChats(run: Run, rows: readonly Row[], persons: ReadonlyMap<Row, number[]>, known: Known) {
  const found: Key[] = []
  const made: { row: Row; chat: ImportedChat }[] = []
  const joined: { source_id: string; made: number }[] = []
  const skipped: Outcome['skipped'] = []
  const skip = (row: Row, reason: string) => skipped.push(remark('skipped', 'chat', reason, row.source_id))
  const find = ({ source_id }: Row, id: number) => found.push({ source_id, id, made: false })
  const places = new Map<string, number>()
  for (const row of rows) {
    const mapped = run.mapping.chats?.[row.source_id]
    const people = persons.get(row) ?? []
    const key = row.body.type === 'personal' ? keyOf(people) : null
    const here = key === null ? undefined : known.get(key)
    const place = key === null ? undefined : places.get(key)
    if (mapped !== undefined) find(row, mapped)
    else if (row.body.type === 'personal' && !key) skip(row, 'is a personal chat of nobody known')
    else if (place !== undefined) joined.push({ source_id: row.source_id, made: place })
    else if (here?.used) skip(row, 'is a personal chat of two who write to each other here already')
    else if (here) find(row, here.id)
    else {
      if (key) places.set(key, made.length)
      made.push({ row, chat: chatOf(run, row, people) })
    }
  }
  return { found, made, joined, skipped }
}

async function writeChats(tx: Tx, run: Run, rows: readonly Row[]): Promise<Outcome> {
  const sourceIds = rows.map(({ source_id }) => source_id)
  const before = await findKeys(tx, run.row, 'chat', sourceIds)
  const fresh = rows.filter(({ source_id }) => !before.has(source_id))
  const persons = new Map(fresh.map((row) => [row, peopleOf(run, row)]))
  const personal = fresh.filter(({ body }) => body.type === 'personal')
  const personalKeys = personal.flatMap((row) => keyOf(persons.get(row) ?? []) ?? [])
  const known = await listPersonalChats(tx, personalKeys)
  const { found, made, joined, skipped } = sortChats(run, fresh, persons, known)
  const chats = made.map(({ chat }) => chat)
  const ids = await insertImportedChats(tx, chats)
  const idAt = (index: number) => ids[index] as number
  const keys: Key[] = [
    ...found,
    ...made.map(({ row }, index) => ({ source_id: row.source_id, id: idAt(index), made: true })),
    ...joined.map(({ source_id, made: index }) => ({ source_id, id: idAt(index), made: false })),
  ]
  await insertKeys(tx, run.row, 'chat', keys)
  const all = new Map([...before, ...keys.map(({ source_id, id }) => [source_id, id] as const)])
  await rememberChats(tx, run, all)
  return {
    ...outcome(),
    written: made.length,
    merged: before.size + keys.length - made.length,
    skipped,
  }
}

function keyOf(people: readonly number[]): string | null {
  return people.length === 0 ? null : personalKey(people[0] as number, (people[1] ?? people[0]) as number)
}

export const chats: Phase<ChatRecord> = { kind: 'chat', batch: 500, write: writeChats }

/** Members come after the messages: until then nobody sees a chat that is half there, and all is read for everybody. */
function writeMembers(tx: Tx, run: Run, rows: readonly RecordRow<ChatMemberRecord>[]): Promise<Outcome> {
  const memberOf = ({ body }: RecordRow<ChatMemberRecord>) => {
    const chat = run.chats.get(body.chat_id)
    const person = run.people.get(body.person_id)
    if (!chat) return 'is of a chat that was skipped'
    if (!person) return 'is nobody known'
    return person.former ? 'is a former member' : { chat_id: chat.id, user_id: person.id, role: body.role }
  }
  return writeResolved('chat_member', rows, memberOf, (members) =>
    insertImportedMembers(tx, members, now(run.ctx.clock)),
  )
}

export const members: Phase<ChatMemberRecord> = { kind: 'chat_member', batch: 5000, write: writeMembers }
