import { sql } from 'kysely'
import { copyRows } from '../platform/db/copy.js'
import { type Db, read, type Tx } from '../platform/db/index.js'

export interface ImportedMessage {
  id: number
  chat_id: number
  root_chat_id: number
  user_id: number
  content: string
  parent_message_id: number | null
  buttons?: object | null
  display_name: string | null
  display_avatar_url: string | null
  forwarding: object | null
  system: boolean
  system_event?: object | null
  has_files: boolean
  number: number | null
  created_at: string
  changed_at: string
  deleted_at: string | null
}

const COLUMNS = [
  'id',
  'chat_id',
  'root_chat_id',
  'user_id',
  'content',
  'parent_message_id',
  'buttons',
  'display_name',
  'display_avatar_url',
  'forwarding',
  'system',
  'system_event',
  'has_files',
  'number',
  'created_at',
  'changed_at',
  'deleted_at',
] as const

/** Ids for so many messages, in order. */
export async function takeMessageIds(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval('messages_id_seq') as id from generate_series(1, ${count}::int)`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Imported messages: no events, nothing unread. `news` are the pieces of their texts that may hold words which no message
 * had before: to look at these alone takes a third less than to let the trigger read every text a second time.
 */
export async function insertImportedMessages(
  tx: Tx,
  messages: readonly ImportedMessage[],
  news: readonly string[],
) {
  if (messages.length === 0) return
  await sql`select set_config('parley.words', 'told', true)`.execute(tx)
  await copyRows(tx, 'messages', COLUMNS, messages)
  if (news.length > 0)
    await sql`
      insert into search_words (word)
      select said from (
        select distinct said from unnest(${news}::text[]) piece, unnest(search_words_in(piece, null)) said) spoken
      where not exists (select from search_words known where known.word = said and known.leaving_at is null)`.execute(
      tx,
    )
}

export interface ImportedReaction {
  message_id: number
  user_id: number
  emoji: string
  code: string
  name: string
  created_at: string
}

export function listReactionsOf(db: Db, messageIds: readonly number[]) {
  return read(
    db,
    sql<{ message_id: number; user_id: number; emoji: string }>`
    select message_id, user_id, emoji from reactions where message_id = any(${messageIds})`,
  )
}

/** Gives how many were not there. */
export async function insertImportedReactions(
  tx: Tx,
  reactions: readonly ImportedReaction[],
): Promise<number> {
  if (reactions.length === 0) return 0
  const { numAffectedRows } = await sql`
    insert into reactions (message_id, user_id, emoji, code, name, created_at)
    select message_id, user_id, emoji, code, name, created_at
    from jsonb_to_recordset(${JSON.stringify(reactions)}::jsonb)
      as x (message_id bigint, user_id bigint, emoji text, code text, name text, created_at timestamptz)
    on conflict (message_id, user_id, emoji) do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

export interface ImportedPin {
  message_id: number
  chat_id: number
  user_id: number
  pinned_at: string
}

export async function insertImportedPins(tx: Tx, pins: readonly ImportedPin[]): Promise<number> {
  if (pins.length === 0) return 0
  const { numAffectedRows } = await sql`
    insert into pins (message_id, chat_id, user_id, pinned_at)
    select message_id, chat_id, user_id, pinned_at
    from jsonb_to_recordset(${JSON.stringify(pins)}::jsonb)
      as x (message_id bigint, chat_id bigint, user_id bigint, pinned_at timestamptz)
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Where each message is and when it was written. */
export async function listMessagePlaces(db: Db, ids: readonly number[]) {
  const rows = await read(
    db,
    sql<{
      id: number
      chat_id: number
      root_chat_id: number
      user_id: number
      created_at: Date
      deleted: boolean
      system: boolean
    }>`
    select id, chat_id, root_chat_id, user_id, created_at, deleted_at is not null as deleted, system from messages where id = any(${ids})`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Texts of messages that are not deleted. */
export function listImportedTexts(db: Db, ids: readonly number[]) {
  return read(
    db,
    sql<{ id: number; chat_id: number; user_id: number; content: string }>`
    select id, chat_id, user_id, content from messages where id = any(${ids}) and deleted_at is null`,
  )
}

/** Messages whose files came later than they did. */
export async function updateImportedTexts(tx: Tx, texts: readonly { id: number; content: string }[]) {
  await sql`
    update messages m set content = x.content, has_files = true
    from unnest(${texts.map(({ id }) => id)}::bigint[], ${texts.map(({ content }) => content)}::text[]) as x (id, content)
    where m.id = x.id`.execute(tx)
}
