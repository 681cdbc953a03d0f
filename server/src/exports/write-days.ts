import { LRUCache } from 'lru-cache'
import type { Context } from '../platform/context.js'
import { DAY_MS, HOUR_MS } from '../platform/time.js'
import { grouped } from './group.js'
import {
  type ChatItem,
  deleteItems,
  hasMessages,
  insertItems,
  listChatsOf,
  listItems,
  listReactionsOf,
  listUsersOf,
  type MessageItem,
  type UserItem,
} from './item-queries.js'
import { dayOf, folderOf, presentMessage } from './present.js'
import type { ExportRow } from './queries.js'
import { type Files, type Step, save } from './step.js'

/** Messages of one step, and what their texts may weigh together: the memory of a step is bounded by both. */
const STEP_MESSAGES = 2000
const STEP_BYTES = 4 * 1024 * 1024
const KNOWN = 5000

/** Cache of people and chats that were looked up. */
export interface Known {
  users: LRUCache<number, UserItem>
  chats: LRUCache<number, ChatItem>
}

export function newKnown(): Known {
  return { users: new LRUCache({ max: KNOWN }), chats: new LRUCache({ max: KNOWN }) }
}

async function lookUp<T extends { id: number }>(
  ids: Iterable<number>,
  known: LRUCache<number, T>,
  load: (ids: number[]) => Promise<T[]>,
): Promise<Map<number, T>> {
  const wanted = [...new Set(ids)]
  const found = new Map(wanted.flatMap((id) => (known.has(id) ? [[id, known.get(id) as T]] : [])))
  const missing = wanted.filter((id) => !found.has(id))
  for (const item of missing.length > 0 ? await load(missing) : []) {
    known.set(item.id, item)
    found.set(item.id, item)
  }
  return found
}

async function loadParts(ctx: Context, known: Known, items: readonly MessageItem[]) {
  const { db } = ctx
  const folders = items.map(({ folder_id }) => folder_id)
  const chats = await lookUp(folders, known.chats, (ids) => listChatsOf(db, ids))
  const people = [...items.map(({ user_id }) => user_id), ...[...chats.values()].map((chat) => chat.owner_id)]
  const users = await lookUp(people, known.users, (ids) => listUsersOf(db, ids))
  const ids = items.map(({ id }) => id)
  const reactions = grouped(await listReactionsOf(db, ids), ({ message_id }) => message_id)
  return { chats, users, reactions }
}

async function writeMessages(ctx: Context, row: ExportRow, known: Known, files: Files, items: MessageItem[]) {
  const { chats, users, reactions } = await loadParts(ctx, known, items)
  for (const [folder, messages] of grouped(items, ({ folder_id }) => folder_id)) {
    const chat = chats.get(folder) as ChatItem
    const owner = users.get(chat.owner_id) as UserItem
    await files.open(`${folderOf(chat)}/${dayOf(row.day)}.json`, chat.id)
    await files.add(
      messages.map((item) => {
        const author = users.get(item.user_id) as UserItem
        return presentMessage(item, { chat, owner, author, reactions: reactions.get(item.id) ?? [] })
      }),
    )
  }
}

/** Goes on to the next day, closing the file that is open. */
async function nextDay({ ctx, row, files }: Step) {
  await files.close()
  const day = new Date(row.day.getTime() + DAY_MS)
  await save(ctx, row, files, { day, hours: 0, after_chat_id: 0, after_message_id: 0 })
}

/** One step of a day: list an hour of its messages, or write some of those that are listed. */
export async function stepDay(step: Step, known: Known) {
  const { ctx, row, files } = step
  if (row.day >= row.to_at) {
    const phase = row.skip_chats_file ? 'assembly' : 'chats'
    return save(ctx, row, files, { phase, after_chat_id: 0 })
  }
  const start = row.day.getTime()
  if (row.hours < 24) {
    const quiet =
      row.hours === 0 && !(await hasMessages(ctx.db, { from: row.day, to: new Date(start + DAY_MS) }))
    if (quiet) return nextDay(step)
    const from = new Date(start + row.hours * HOUR_MS)
    const span = { from, to: new Date(from.getTime() + HOUR_MS) }
    return save(ctx, row, files, { hours: row.hours + 1 }, (tx) => insertItems(tx, row, span))
  }
  const items = await listItems(ctx.db, row, STEP_MESSAGES, STEP_BYTES)
  const last = items.at(-1)
  if (!last) return nextDay(step)
  await writeMessages(ctx, row, known, files, items)
  const place = { after_chat_id: last.folder_id, after_message_id: last.id }
  const change = { ...place, messages: row.messages + items.length }
  return save(ctx, row, files, change, (tx) => deleteItems(tx, row.id, last))
}
