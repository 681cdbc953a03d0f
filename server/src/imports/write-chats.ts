import { type ChatMemberRecord, type ChatRecord, remark } from '@parley/imports'
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
import { type Outcome, outcome, type Phase, type Run, timeOf } from './run-state.js'

type Row = RecordRow<ChatRecord>

const NAME = 255

export async function rememberChats(db: Db, run: Run, ids: ReadonlyMap<string, number>) {
  const names = await listChatNames(db, [...ids.values()])
  for (const [source_id, id] of ids) run.chats.set(source_id, { id, name: names.get(id) ?? '' })
}

function chatOf(run: Run, { body }: Row, people: readonly number[]): ImportedChat {
  const imported = run.ctx.clock.now() * 1000
  const created = timeOf(body.created_at ?? imported)
  const owner = run.people.get(body.owner_id ?? '')
  const prefix = (run.row.options as { name_prefix?: string }).name_prefix ?? ''
  const personal = body.type === 'personal'
  return {
    kind: body.type,
    name: personal ? '' : `${prefix}${body.name}`.slice(0, NAME) || 'Chat',
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

async function writeChats(tx: Tx, run: Run, rows: readonly Row[]): Promise<Outcome> {
  const result = outcome()
  const before = await findKeys(
    tx,
    run.row,
    'chat',
    rows.map(({ source_id }) => source_id),
  )
  result.merged += before.size
  const keys: Key[] = []
  const made: { row: Row; chat: ImportedChat }[] = []
  const fresh = rows.filter(({ source_id }) => !before.has(source_id))
  const persons = new Map(fresh.map((row) => [row, peopleOf(run, row)]))
  const personal = fresh.filter(({ body }) => body.type === 'personal')
  const known = await listPersonalChats(
    tx,
    personal.flatMap((row) => keyOf(persons.get(row) ?? []) ?? []),
  )
  // Two rooms of the same people are one chat: messages are sorted by time whatever room they come from.
  const here = new Map<string, number>()
  const joined: { source_id: string; made: number }[] = []
  for (const row of fresh) {
    const mapped = run.mapping.chats?.[row.source_id]
    const people = persons.get(row) ?? []
    const key = row.body.type === 'personal' ? keyOf(people) : null
    if (mapped !== undefined) keys.push({ source_id: row.source_id, id: mapped, made: false })
    else if (row.body.type === 'personal' && !key)
      result.skipped.push(remark('skipped', 'chat', 'is a personal chat of nobody known', row.source_id))
    else if (key && here.has(key)) joined.push({ source_id: row.source_id, made: here.get(key) as number })
    else if (key && known.get(key)?.used)
      result.skipped.push(
        remark(
          'skipped',
          'chat',
          'is a personal chat of two who write to each other here already',
          row.source_id,
        ),
      )
    else if (key && known.has(key))
      keys.push({ source_id: row.source_id, id: known.get(key)?.id as number, made: false })
    else {
      if (key) here.set(key, made.length)
      made.push({ row, chat: chatOf(run, row, people) })
    }
  }
  const ids = await insertImportedChats(
    tx,
    made.map(({ chat }) => chat),
  )
  for (const [index, { row }] of made.entries())
    keys.push({ source_id: row.source_id, id: ids[index] as number, made: true })
  for (const { source_id, made: index } of joined)
    keys.push({ source_id, id: ids[index] as number, made: false })
  await insertKeys(tx, run.row, 'chat', keys)
  await rememberChats(
    tx,
    run,
    new Map([...before, ...keys.map(({ source_id, id }) => [source_id, id] as const)]),
  )
  result.written = made.length
  result.merged += keys.length - made.length
  return result
}

function keyOf(people: readonly number[]): string | null {
  return people.length === 0 ? null : personalKey(people[0] as number, (people[1] ?? people[0]) as number)
}

export const chats: Phase<ChatRecord> = { kind: 'chat', batch: 500, write: writeChats }

/** Members come after the messages: until then nobody sees a chat that is half there, and all is read for everybody. */
async function writeMembers(
  tx: Tx,
  run: Run,
  rows: readonly RecordRow<ChatMemberRecord>[],
): Promise<Outcome> {
  const result = outcome()
  const members = rows.flatMap(({ body, source_id }) => {
    const chat = run.chats.get(body.chat_id)
    const person = run.people.get(body.person_id)
    if (chat && person && !person.former) return [{ chat_id: chat.id, user_id: person.id, role: body.role }]
    const reason = !chat ? 'is of a chat that was skipped' : person ? 'is a former member' : 'is nobody known'
    result.skipped.push(remark('skipped', 'chat_member', reason, source_id))
    return []
  })
  result.written = await insertImportedMembers(tx, members, now(run.ctx.clock))
  result.merged = members.length - result.written
  return result
}

export const members: Phase<ChatMemberRecord> = { kind: 'chat_member', batch: 5000, write: writeMembers }
