import { type Line, remark } from '@parley/imports'
import { advanceImportedChats, type ChatAdvance, lockCounts } from '../../chats/import-queries.js'
import { type ImportedMessage, insertImportedMessages } from '../../messages/import-queries.js'
import { insertPortableMentions } from '../../messages/portable-queries.js'
import type { Db, Tx } from '../../platform/db/index.js'
import { insertPortablePreviews } from '../../previews/portable-queries.js'
import { newsOf } from '../learn-words.js'
import { findKeys, insertKeys, listNicknames } from '../queries.js'
import { type Outcome, outcome, type Run } from '../run-state.js'
import { chatId, idsFor, keysOf, personId, phase, type Rows, sourceIds } from './phase.js'
import { storePicture } from './pictures.js'
import { renameMentions } from './rename-mentions.js'

type Row = Rows<'message'>[number]
type Body = Line<'message'>

/** Keys of the storage, by message and position of the preview. */
type Pictures = Map<string, string | null>

async function storePreviews(run: Run, rows: Rows<'message'>): Promise<Pictures> {
  const pictures: Pictures = new Map()
  for (const { source_id, body } of rows)
    for (const { position, picture } of body.previews) {
      const of = `${source_id} ${position}`
      pictures.set(
        of,
        await storePicture(run, picture, `preview ${of}`, (name, type) => `previews/${name}.${type}`),
      )
    }
  return pictures
}

/** What messages of a batch name, as it is here. */
interface Lookups {
  messages: ReadonlyMap<string, number>
  threads: ReadonlyMap<string, number>
  tags: ReadonlyMap<string, number>
}

const text = (id: number | null | undefined) => (id ? [String(id)] : [])

async function lookUp(
  tx: Tx,
  run: Run,
  rows: readonly Row[],
  own: ReadonlyMap<string, number>,
): Promise<Lookups> {
  const messages = rows.flatMap(({ body: { parent_id, forwarding } }) => [
    ...text(parent_id),
    ...text(forwarding?.original_message_id),
    ...text(forwarding?.original_thread_message_id),
  ])
  const threads = rows.flatMap(({ body }) => text(body.forwarding?.original_thread_id))
  const tags = rows.flatMap(({ body }) => body.mentions.flatMap(({ tag_id }) => text(tag_id)))
  return {
    messages: new Map([...(await findKeys(tx, run.row, 'message', [...new Set(messages)])), ...own]),
    threads: await findKeys(tx, run.row, 'thread_row', [...new Set(threads)]),
    tags: await findKeys(tx, run.row, 'tag', [...new Set(tags)]),
  }
}

/** Where a forwarded message was first said. What is not in the file is named no more, unless ids are those of the file. */
function forwardingOf(
  run: Run,
  forwarding: Body['forwarding'],
  { messages, threads }: Lookups,
): object | null {
  if (!forwarding || run.row.keeps_ids) return forwarding
  const original_message_id = messages.get(String(forwarding.original_message_id))
  const original_chat_id = chatId(run, forwarding.original_chat_id)
  const author_id = personId(run, forwarding.author_id)
  if (original_message_id === undefined || original_chat_id === undefined || author_id === undefined)
    return null
  return {
    original_message_id,
    original_chat_id,
    author_id,
    original_created_at: forwarding.original_created_at,
    original_thread_id: threads.get(String(forwarding.original_thread_id)) ?? null,
    original_thread_message_id: messages.get(String(forwarding.original_thread_message_id)) ?? null,
    original_thread_parent_chat_id: chatId(run, forwarding.original_thread_parent_chat_id) ?? null,
  }
}

function systemEventOf(run: Run, event: Body['system_event']): object | null {
  if (!event || run.row.keeps_ids) return event
  const user_ids = event.user_ids.flatMap((id) => personId(run, id) ?? [])
  return { ...event, actor_id: personId(run, event.actor_id) ?? run.row.user_id, user_ids }
}

interface Placed {
  row: Row
  chat_id: number
  root_chat_id: number
  user_id: number
}

/** Where each message goes and whose it is; others are skipped. */
function place(run: Run, rows: readonly Row[], { skipped }: Outcome): Placed[] {
  return rows.flatMap((row) => {
    const [chat_id, root_chat_id] = [chatId(run, row.body.chat_id), chatId(run, row.body.root_chat_id)]
    const user_id = personId(run, row.body.author_id)
    if (chat_id !== undefined && root_chat_id !== undefined && user_id !== undefined)
      return [{ row, chat_id, root_chat_id, user_id }]
    const reason = user_id === undefined ? 'is by nobody known' : 'is in a chat that was skipped'
    skipped.push(remark('skipped', 'message', reason, row.source_id))
    return []
  })
}

const NOBODY: ReadonlyMap<string, string> = new Map()

/** The row of a message, but for its number. */
function messageOf(run: Run, { row, ...placed }: Placed, id: number, lookups: Lookups): ImportedMessage {
  const { body } = row
  const parent = lookups.messages.get(String(body.parent_id)) ?? (run.row.keeps_ids ? body.parent_id : null)
  return {
    ...placed,
    id,
    content: renameMentions(body.content, run.renamed ?? NOBODY),
    parent_message_id: parent,
    buttons: body.buttons,
    display_name: body.display_name,
    display_avatar_url: body.display_avatar_url,
    forwarding: forwardingOf(run, body.forwarding, lookups),
    system: body.system,
    system_event: systemEventOf(run, body.system_event),
    has_files: body.files.length > 0,
    number: null,
    created_at: body.created_at,
    changed_at: body.changed_at,
    deleted_at: body.deleted_at,
  }
}

/** Numbers messages within their chats, and says where each chat stands after them. */
function numberMessages(
  messages: readonly ImportedMessage[],
  counts: ReadonlyMap<number, number>,
): ChatAdvance[] {
  const chats = new Map<number, ChatAdvance>()
  for (const message of messages) {
    const before = chats.get(message.chat_id)
    const count = (before?.messages_count ?? counts.get(message.chat_id) ?? 0) + (message.system ? 0 : 1)
    if (!message.system) message.number = count
    const shown = message.system || message.deleted_at !== null
    chats.set(message.chat_id, {
      id: message.chat_id,
      messages_count: count,
      last_message_id: shown ? (before?.last_message_id ?? null) : message.id,
      last_message_at: message.created_at,
    })
  }
  return [...chats.values()]
}

/** Whom they name, and what is shown for their links. */
async function writeAdditions(
  tx: Tx,
  run: Run,
  placed: readonly Placed[],
  ids: readonly number[],
  { tags }: Lookups,
  pictures: Pictures,
) {
  const mentions = placed.flatMap(({ row, chat_id }, index) =>
    row.body.mentions.flatMap(({ person_id, tag_id }) => {
      const user = personId(run, person_id) ?? null
      const tag = tags.get(String(tag_id)) ?? null
      const unknown = (person_id !== null && user === null) || (tag_id !== null && tag === null)
      return unknown ? [] : [{ message_id: ids[index], chat_id, user_id: user, tag_id: tag }]
    }),
  )
  await insertPortableMentions(tx, mentions)
  const previews = placed.flatMap(({ row }, index) =>
    row.body.previews.map(({ picture, ...preview }) => ({
      ...preview,
      message_id: ids[index],
      image_key: pictures.get(`${row.source_id} ${preview.position}`) ?? null,
    })),
  )
  await insertPortablePreviews(tx, previews)
}

/** Texts that mention somebody follow them to another nickname. */
async function findRenamed(db: Db, run: Run): Promise<ReadonlyMap<string, string>> {
  const renamed = new Map<string, string>()
  for (const { source_id, nickname } of await listNicknames(db)) {
    const person = run.people.get(source_id)
    if (person && !person.former && person.nickname !== nickname)
      renamed.set(nickname.toLowerCase(), person.nickname)
  }
  return renamed
}

async function writeMessages(tx: Tx, run: Run, rows: Rows<'message'>, pictures: Pictures): Promise<Outcome> {
  const result = outcome()
  run.renamed ??= await findRenamed(tx, run)
  const before = await findKeys(tx, run.row, 'message', sourceIds(rows))
  result.merged = before.size
  const placed = place(
    run,
    rows.filter(({ source_id }) => !before.has(source_id)),
    result,
  )
  const fresh = placed.map(({ row }) => row)
  const counts = await lockCounts(tx, [...new Set(placed.map(({ chat_id }) => chat_id))])
  const ids = await idsFor(tx, run, 'messages_id_seq', fresh)
  const own = new Map(fresh.map(({ source_id }, index) => [source_id, ids[index] as number]))
  const lookups = await lookUp(tx, run, fresh, own)
  const messages = placed.map((item, index) => messageOf(run, item, ids[index] as number, lookups))
  for (const [index, { row }] of placed.entries())
    if (row.body.forwarding && !messages[index]?.forwarding)
      result.remarks.push(
        remark('lost', 'message', 'was forwarded from a message that is not here', row.source_id),
      )
  const chats = numberMessages(messages, counts)
  await insertImportedMessages(tx, messages, newsOf(run, messages))
  await advanceImportedChats(tx, chats)
  await writeAdditions(tx, run, placed, ids, lookups, pictures)
  await insertKeys(tx, run.row, 'message', keysOf(fresh, ids))
  result.written = placed.length
  return result
}

export const messages = phase('message', 2000, writeMessages, storePreviews)
