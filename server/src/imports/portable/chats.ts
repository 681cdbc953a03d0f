import { type Line, remark } from '@parley/imports'
import { listPersonalChats } from '../../chats/import-queries.js'
import { personalKey } from '../../chats/personal.js'
import {
  insertPortableChats,
  insertPortableChatTags,
  insertPortableMembers,
  insertPortableThreads,
  type PortableChat,
  updatePortableReads,
} from '../../chats/portable-queries.js'
import { insertPortableChatNotifications } from '../../notifications/portable-queries.js'
import type { Tx } from '../../platform/db/index.js'
import { findKeys, insertKeys, type Key } from '../queries.js'
import { type Outcome, outcome, type Run } from '../run-state.js'
import { rememberChats } from '../write-chats.js'
import { chatId, idsFor, keysOf, personId, phase, type Rows, sourceIds } from './phase.js'

type Row = Rows<'chat'>[number]

/** The key of a personal chat here; undefined for other chats, null where its people are unknown. */
function personalKeyOf(run: Run, { body }: Row): string | null | undefined {
  if (body.type !== 'personal') return undefined
  const [first, second] = (body.people ?? []).map((id) => personId(run, id))
  return first === undefined || second === undefined ? null : personalKey(first, second)
}

function chatOf(run: Run, { body }: Row, id: number, personal_key: string | null): PortableChat {
  const { type, people, tag_ids, ...columns } = body
  const prefix = (run.row.options as { name_prefix?: string }).name_prefix ?? ''
  const named = type === 'conversation' || type === 'channel'
  return {
    ...columns,
    id,
    kind: type,
    name: named ? `${prefix}${body.name}` : body.name,
    owner_id: personId(run, body.owner_id) ?? run.row.user_id,
    personal_key,
    last_message_at: body.created_at,
  }
}

interface Sorted {
  made: { row: Row; personal_key: string | null }[]
  keys: Key[]
}

/** Which chats are made, which are here already, and which cannot be. */
async function sortChats(tx: Tx, run: Run, rows: readonly Row[], { skipped }: Outcome): Promise<Sorted> {
  const sorted: Sorted = { made: [], keys: [] }
  const keyOf = new Map(rows.map((row) => [row, personalKeyOf(run, row)]))
  const known = await listPersonalChats(
    tx,
    [...keyOf.values()].flatMap((key) => key ?? []),
  )
  const here = new Set<string>()
  for (const row of rows) {
    const key = keyOf.get(row)
    const mapped = run.mapping.chats?.[row.source_id]
    const skip = (reason: string) => skipped.push(remark('skipped', 'chat', reason, row.source_id))
    if (mapped !== undefined) sorted.keys.push({ source_id: row.source_id, id: mapped, made: false })
    else if (key === null) skip('is a personal chat of nobody known')
    else if (key && (known.get(key)?.used || here.has(key)))
      skip('is a personal chat of two who write to each other here already')
    else if (key && known.has(key))
      sorted.keys.push({ source_id: row.source_id, id: known.get(key)?.id as number, made: false })
    else {
      if (key) here.add(key)
      sorted.made.push({ row, personal_key: key ?? null })
    }
  }
  return sorted
}

async function writeChats(tx: Tx, run: Run, rows: readonly Row[]): Promise<Outcome> {
  const result = outcome()
  const before = await findKeys(tx, run.row, 'chat', sourceIds(rows))
  const { made, keys } = await sortChats(
    tx,
    run,
    rows.filter(({ source_id }) => !before.has(source_id)),
    result,
  )
  const madeRows = made.map(({ row }) => row)
  const ids = await idsFor(tx, run, 'chats_id_seq', madeRows)
  await insertPortableChats(
    tx,
    made.map(({ row, personal_key }, index) => chatOf(run, row, ids[index] as number, personal_key)),
  )
  result.written = made.length
  result.merged = before.size + keys.length
  keys.push(...keysOf(madeRows, ids))
  await insertKeys(tx, run.row, 'chat', keys)
  await writeChatTags(tx, run, madeRows, ids)
  await rememberChats(
    tx,
    run,
    new Map([...before, ...keys.map(({ source_id, id }) => [source_id, id] as const)]),
  )
  return result
}

async function writeChatTags(tx: Tx, run: Run, rows: readonly Row[], ids: readonly number[]) {
  const named = [...new Set(rows.flatMap(({ body }) => body.tag_ids.map(String)))]
  const tags = await findKeys(tx, run.row, 'tag', named)
  await insertPortableChatTags(
    tx,
    rows.flatMap(({ body }, index) =>
      body.tag_ids.flatMap((id) => {
        const tag_id = tags.get(String(id))
        return tag_id === undefined ? [] : [{ chat_id: ids[index], tag_id }]
      }),
    ),
  )
}

export const chats = phase('chat', 500, writeChats)

/** Threads between their chats; their messages are hung above them when those are written. */
async function writeThreads(tx: Tx, run: Run, rows: Rows<'thread'>): Promise<Outcome> {
  const result = outcome()
  const before = await findKeys(tx, run.row, 'thread_row', sourceIds(rows))
  result.merged = before.size
  const fresh = rows.filter(({ source_id, body }) => {
    if (before.has(source_id)) return false
    if (chatId(run, body.chat_id) !== undefined) return true
    result.skipped.push(remark('skipped', 'thread', 'is of a chat that was skipped', source_id))
    return false
  })
  const ids = await idsFor(tx, run, 'threads_id_seq', fresh)
  const made = await insertPortableThreads(
    tx,
    fresh.map(({ body }, index) => ({
      ...body,
      id: ids[index],
      chat_id: chatId(run, body.chat_id),
      message_chat_id: chatId(run, body.parent_chat_id) ?? null,
      creator_id: personId(run, body.creator_id) ?? run.row.user_id,
    })),
  )
  const keys = keysOf(fresh, ids)
  for (const { id, source_id } of keys)
    if (!made.has(id))
      result.skipped.push(remark('skipped', 'thread', 'has the chat of another thread', source_id))
  await insertKeys(
    tx,
    run.row,
    'thread_row',
    keys.filter(({ id }) => made.has(id)),
  )
  result.written = made.size
  return result
}

export const threads = phase('thread', 1000, writeThreads)

async function writeMembers(tx: Tx, run: Run, rows: Rows<'chat_member'>): Promise<Outcome> {
  const result = outcome()
  const named = [...new Set(rows.flatMap(({ body }) => body.tag_ids.map(String)))]
  const tags = await findKeys(tx, run.row, 'tag', named)
  const members = rows.flatMap(({ body, source_id }) => {
    const [chat_id, user_id] = [chatId(run, body.chat_id), personId(run, body.person_id)]
    if (chat_id !== undefined && user_id !== undefined) return [memberOf(body, chat_id, user_id, tags)]
    const reason = chat_id === undefined ? 'is of a chat that was skipped' : 'is nobody known'
    result.skipped.push(remark('skipped', 'chat_member', reason, source_id))
    return []
  })
  result.written = await insertPortableMembers(tx, members)
  if (run.row.keeps_ids) await writeNotifications(tx, run, rows)
  result.merged = members.length - result.written
  return result
}

async function writeNotifications(tx: Tx, run: Run, rows: Rows<'chat_member'>) {
  await insertPortableChatNotifications(
    tx,
    rows.flatMap(({ body }) => {
      const [chat_id, user_id] = [chatId(run, body.chat_id), personId(run, body.person_id)]
      const { notifications } = body
      return chat_id && user_id && notifications ? [{ chat_id, user_id, ...notifications }] : []
    }),
  )
}

function memberOf(
  body: Line<'chat_member'>,
  chat_id: number,
  user_id: number,
  tags: ReadonlyMap<string, number>,
) {
  const { person_id, by_hand, tag_ids, notifications, ...columns } = body
  const known = tag_ids.flatMap((id) => tags.get(String(id)) ?? [])
  return { ...columns, chat_id, user_id, manual: by_hand, tag_ids: known }
}

export const members = phase('chat_member', 5000, writeMembers)

async function writeReads(tx: Tx, run: Run, rows: Rows<'read'>): Promise<Outcome> {
  const result = outcome()
  const ids = await findKeys(tx, run.row, 'message', [
    ...new Set(rows.map(({ body }) => String(body.message_id))),
  ])
  const reads = rows.flatMap(({ body, source_id }) => {
    const [chat_id, user_id] = [chatId(run, body.chat_id), personId(run, body.person_id)]
    const message_id = ids.get(String(body.message_id))
    if (chat_id !== undefined && user_id !== undefined && message_id !== undefined)
      return [{ chat_id, user_id, message_id }]
    result.skipped.push(remark('skipped', 'read', 'is of a message or somebody unknown', source_id))
    return []
  })
  result.written = await updatePortableReads(tx, reads)
  result.merged = reads.length - result.written
  return result
}

export const reads = phase('read', 5000, writeReads)
