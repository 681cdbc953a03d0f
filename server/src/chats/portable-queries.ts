import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { JsonRow } from '../platform/db/json-row.js'
import { newRoom } from './meet.js'

export interface PortableChat extends JsonRow<'chats'> {
  kind: 'conversation' | 'channel' | 'personal' | 'thread'
}

/** Chats of a portable file, without members and messages; each gets a video room of this server. */
export async function insertPortableChats(tx: Tx, chats: readonly PortableChat[]) {
  if (chats.length === 0) return
  const rows = chats.map((chat) => ({ ...chat, meet_slug: newRoom(chat.kind) }))
  await sql`
    insert into chats (id, kind, name, description, public, owner_id, personal_key, archived_at, created_at, last_message_at, meet_slug)
    select id, kind, name, description, public, owner_id, personal_key, archived_at, created_at, last_message_at, meet_slug
    from jsonb_populate_recordset(null::chats, ${JSON.stringify(rows)}::jsonb)`.execute(tx)
}

export async function insertPortableChatTags(tx: Tx, tags: readonly JsonRow<'chat_tags'>[]) {
  if (tags.length === 0) return
  await sql`
    insert into chat_tags (chat_id, tag_id)
    select chat_id, tag_id from jsonb_populate_recordset(null::chat_tags, ${JSON.stringify(tags)}::jsonb)
    on conflict do nothing`.execute(tx)
}

/** Threads whose messages are hung above them at the end; gives the ids of those that were made. */
export async function insertPortableThreads(
  tx: Tx,
  threads: readonly JsonRow<'threads'>[],
): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    with made as (
      insert into threads (id, chat_id, message_chat_id, creator_id, created_at, updated_at)
      select id, chat_id, message_chat_id, creator_id, created_at, updated_at
      from jsonb_populate_recordset(null::threads, ${JSON.stringify(threads)}::jsonb)
      on conflict do nothing returning id, chat_id),
    named as (update chats c set name = 'Thread ' || made.id from made where c.id = made.chat_id and c.name like 'Thread %')
    select id from made`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Members of a portable file, as they were, with nothing read; gives how many were none before. */
export async function insertPortableMembers(
  tx: Tx,
  members: readonly JsonRow<'chat_members'>[],
): Promise<number> {
  if (members.length === 0) return 0
  const { numAffectedRows } = await sql`
    insert into chat_members (chat_id, user_id, role, manual, tag_ids, joined_at, hidden, notify_threads, bot)
    select x.chat_id, x.user_id, x.role, x.manual, x.tag_ids, x.joined_at, x.hidden, x.notify_threads, u.bot
    from jsonb_populate_recordset(null::chat_members, ${JSON.stringify(members)}::jsonb) x join users u on u.id = x.user_id
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

export interface PortableRead {
  chat_id: number
  user_id: number
  message_id: number
}

/** Moves read marks forward; gives how many moved. */
export async function updatePortableReads(tx: Tx, reads: readonly PortableRead[]): Promise<number> {
  if (reads.length === 0) return 0
  const { numAffectedRows } = await sql`
    update chat_members m set read_message_id = x.message_id, read_number = message_number_at(x.chat_id, x.message_id)
    from jsonb_to_recordset(${JSON.stringify(reads)}::jsonb) as x (chat_id bigint, user_id bigint, message_id bigint)
    where m.chat_id = x.chat_id and m.user_id = x.user_id and m.read_message_id < x.message_id`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Hangs threads under their messages, and gives threads and chats the times that the file says. */
export async function settlePortableChats(
  tx: Tx,
  { id: importId, source, workspace }: { id: number; source: string; workspace: string },
) {
  const keyed = (kind: string, column: string) => sql`select k.id from import_keys k
    where k.source = ${source} and k.workspace = ${workspace} and k.kind = ${kind} and k.source_id = r.body ->> ${sql.lit(column)}`
  await sql`
    update threads t set updated_at = (r.body ->> 'updated_at')::timestamptz,
      message_id = coalesce(t.message_id, (${keyed('message', 'message_id')}))
    from import_records r join import_keys own on own.import_id = ${importId} and own.kind = 'thread_row' and own.made
      and own.source_id = r.source_id
    where r.kind = 'thread' and t.id = own.id`.execute(tx)
  await sql`
    update chats c set last_message_at = (r.body ->> 'last_message_at')::timestamptz
    from import_records r join import_keys own on own.import_id = ${importId} and own.kind = 'chat' and own.made
      and own.source_id = r.source_id
    where r.kind = 'chat' and c.id = own.id`.execute(tx)
}
