import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { newRoom } from './meet.js'

export interface ImportedChat {
  kind: 'conversation' | 'channel' | 'personal' | 'thread'
  name: string
  description: string | null
  public: boolean
  owner_id: number
  personal_key: string | null
  archived_at: string | null
  created_at: string
}

/** Chats without members; gives their ids in the order given. */
export async function insertImportedChats(tx: Tx, chats: readonly ImportedChat[]): Promise<number[]> {
  if (chats.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    insert into chats (kind, name, description, public, owner_id, personal_key, archived_at, created_at, last_message_at, meet_slug)
    select x.kind, x.name, x.description, x.public, x.owner_id, x.personal_key, x.archived_at, x.created_at, x.created_at, x.meet_slug
    from jsonb_to_recordset(${JSON.stringify(
      chats.map((chat) => ({ ...chat, meet_slug: newRoom(chat.kind) })),
    )}::jsonb)
      as x (kind text, name text, description text, public boolean, owner_id bigint, personal_key text,
        archived_at timestamptz, created_at timestamptz, meet_slug text)
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Personal chats that are there, by their key, and whether anything was written in them. */
export async function listPersonalChats(db: Db, keys: readonly string[]) {
  const rows = await read(
    db,
    sql<{ id: number; personal_key: string; used: boolean }>`
    select id, personal_key, last_message_id is not null as used from chats where personal_key = any(${keys})`,
  )
  return new Map(rows.map((row) => [row.personal_key, row]))
}

export interface ImportedThread {
  chat_id: number
  /** Null where its message is not written yet. */
  message_id: number | null
  message_chat_id: number
  creator_id: number
  created_at: string
}

/** Each chat is named after its thread. */
export async function insertImportedThreads(tx: Tx, threads: readonly ImportedThread[]) {
  if (threads.length === 0) return
  await sql`
    with made as (
      insert into threads (chat_id, message_id, message_chat_id, creator_id, created_at, updated_at)
      select x.chat_id, x.message_id, x.message_chat_id, x.creator_id, x.created_at, x.created_at
      from jsonb_to_recordset(${JSON.stringify(threads)}::jsonb)
        as x (chat_id bigint, message_id bigint, message_chat_id bigint, creator_id bigint, created_at timestamptz)
      returning id, chat_id)
    update chats c set name = 'Thread ' || made.id from made where c.id = made.chat_id`.execute(tx)
}

/** The chats of the threads that messages have, by message. */
export async function listThreadChats(db: Db, messageIds: readonly number[]): Promise<Map<number, number>> {
  if (messageIds.length === 0) return new Map()
  const rows = await read(
    db,
    sql<{ message_id: number; chat_id: number }>`
    select message_id, chat_id from threads where message_id = any(${messageIds})`,
  )
  return new Map(rows.map(({ message_id, chat_id }) => [message_id, chat_id]))
}

/** The chat that each thread belongs to, by the chat of the thread. */
export async function listThreadParents(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const rows = await read(
    db,
    sql<{ chat_id: number; message_chat_id: number }>`
    select chat_id, message_chat_id from threads where chat_id = any(${ids})`,
  )
  return new Map(rows.map(({ chat_id, message_chat_id }) => [chat_id, message_chat_id]))
}

/** Hangs threads under their messages. */
export async function updateThreadRoots(tx: Tx, roots: readonly { chat_id: number; message_id: number }[]) {
  if (roots.length === 0) return
  await sql`
    update threads t set message_id = x.message_id
    from unnest(${roots.map(({ chat_id }) => chat_id)}::bigint[], ${roots.map(({ message_id }) => message_id)}::bigint[])
      as x (chat_id, message_id)
    where t.chat_id = x.chat_id`.execute(tx)
}

/** How many messages each chat has had, so that numbers go on from there. */
export async function lockCounts(tx: Tx, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; messages_count: number }>`
    select id, messages_count from chats where id = any(${ids}) order by id for no key update`.execute(tx)
  return new Map(rows.map(({ id, messages_count }) => [id, messages_count]))
}

/** When the last message of each chat was written, in microseconds; chats without messages are left out. */
export async function listLastTimes(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await read(
    db,
    sql<{ id: number; at: number }>`
    select id, (extract(epoch from last_message_at) * 1000000)::bigint as at
    from chats where id = any(${ids}) and last_message_id is not null`,
  )
  return new Map(rows.map(({ id, at }) => [id, at]))
}

export interface ChatAdvance {
  id: number
  messages_count: number
  last_message_id: number | null
  last_message_at: string
}

/** Members who had read everything have read what comes, too. */
export async function advanceImportedChats(tx: Tx, chats: readonly ChatAdvance[]) {
  if (chats.length === 0) return
  await sql`
    with moved as (
      update chats c set messages_count = x.messages_count, version = c.version + 1,
        last_message_id = coalesce(x.last_message_id, c.last_message_id),
        last_message_at = case when c.last_message_id is null then x.last_message_at else greatest(c.last_message_at, x.last_message_at) end
      from jsonb_to_recordset(${JSON.stringify(chats)}::jsonb)
        as x (id bigint, messages_count int, last_message_id bigint, last_message_at timestamptz)
        join chats before on before.id = x.id
      where c.id = x.id
      returning c.id, c.last_message_at, c.last_message_id, c.messages_count, before.messages_count as count_before),
    seen as (
      update chat_members m set read_number = moved.messages_count,
        read_message_id = greatest(m.read_message_id, moved.last_message_id)
      from moved where m.chat_id = moved.id and m.read_number >= moved.count_before)
    update threads t set updated_at = moved.last_message_at from moved where t.chat_id = moved.id`.execute(tx)
}

export interface ImportedMember {
  chat_id: number
  user_id: number
  role: string
}

/** Members who have read everything; gives how many were none before. */
export async function insertImportedMembers(
  tx: Tx,
  members: readonly ImportedMember[],
  now: Date,
): Promise<number> {
  if (members.length === 0) return 0
  const { numAffectedRows } = await sql`
    insert into chat_members (chat_id, user_id, role, joined_at, read_message_id, read_number)
    select distinct on (x.chat_id, x.user_id)
      x.chat_id, x.user_id, x.role, ${now}, coalesce(c.last_message_id, 0), c.messages_count
    from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as x (chat_id bigint, user_id bigint, role text)
      join chats c on c.id = x.chat_id
    order by x.chat_id, x.user_id, x.role
    on conflict do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/**
 * Those who wrote in threads of an import, and those whose messages they hang under, follow them. Followers read a thread: whoever
 * cannot read its chat, such as those who left it, stays outside.
 */
export async function insertThreadFollowers(tx: Tx, importId: number, now: Date) {
  await sql`
    insert into chat_members (chat_id, user_id, role, joined_at, read_message_id, read_number)
    select who.chat_id, who.user_id, 'member', ${now}, coalesce(c.last_message_id, 0), c.messages_count
    from (
      select m.chat_id, m.user_id from import_keys k join messages m on m.chat_id = k.id
      where k.import_id = ${importId} and k.kind = 'thread' and k.made
      union
      select t.chat_id, root.user_id from import_keys k join threads t on t.chat_id = k.id
        join messages root on root.id = t.message_id
      where k.import_id = ${importId} and k.kind = 'thread' and k.made
    ) who join chats c on c.id = who.chat_id join threads t on t.chat_id = c.id join chats above on above.id = t.message_chat_id
      join users u on u.id = who.user_id and u.deleted_at is null
    where (above.public and not u.bot and u.role not in ('guest', 'multi_guest'))
      or exists (select from chat_members m where m.chat_id = above.id and m.user_id = u.id)
    on conflict do nothing`.execute(tx)
}

/** Personal chats of an import have their two people in them. */
export async function insertPersonalMembers(tx: Tx, importId: number, now: Date) {
  await sql`
    insert into chat_members (chat_id, user_id, role, joined_at, read_message_id, read_number)
    select distinct c.id, person::bigint, 'admin', ${now}::timestamptz, coalesce(c.last_message_id, 0), c.messages_count
    from import_keys k join chats c on c.id = k.id cross join unnest(string_to_array(c.personal_key, ':')) person
      join users u on u.id = person::bigint and u.deleted_at is null
    where k.import_id = ${importId} and k.kind = 'chat' and k.made and c.kind = 'personal'
    on conflict do nothing`.execute(tx)
}

/**
 * A closed chat whose owner is not in it goes to somebody who is: an admin of it first, then an employee who can sign in. So nobody reads
 * it who did not in the source. Where there is nobody, it stays with whoever imports.
 */
export async function giveClosedChats(tx: Tx, importId: number) {
  await sql`
    update chats c set owner_id = heir.user_id
    from (
      select distinct on (m.chat_id) m.chat_id, m.user_id
      from import_keys k join chats own on own.id = k.id join chat_members m on m.chat_id = own.id
        join users u on u.id = m.user_id and not u.bot and u.deleted_at is null and u.role not in ('guest', 'multi_guest')
      where k.import_id = ${importId} and k.kind = 'chat' and k.made
        and own.kind in ('conversation', 'channel') and not own.public
        and not exists (select from chat_members o where o.chat_id = own.id and o.user_id = own.owner_id)
      order by m.chat_id, u.suspended, case m.role when 'admin' then 0 when 'editor' then 1 else 2 end, m.user_id
    ) heir
    where c.id = heir.chat_id`.execute(tx)
}

/** A chat of which no source tells since when it is archived is so since its last message; until here it has the time of the import. */
export async function dateArchived(tx: Tx, importId: number) {
  await sql`
    update chats c set archived_at = c.last_message_at
    from import_keys k join imports i on i.id = k.import_id
    where k.import_id = ${importId} and k.kind = 'chat' and k.made and c.id = k.id
      and c.archived_at = i.created_at and c.last_message_id is not null`.execute(tx)
}

/** The owner of a chat is in it, as its owner. */
export async function insertOwners(tx: Tx, importId: number, now: Date) {
  await sql`
    insert into chat_members (chat_id, user_id, role, joined_at, read_message_id, read_number)
    select c.id, c.owner_id, 'owner', ${now}, coalesce(c.last_message_id, 0), c.messages_count
    from import_keys k join chats c on c.id = k.id
    where k.import_id = ${importId} and k.kind = 'chat' and k.made and c.kind in ('conversation', 'channel')
    on conflict (chat_id, user_id) do update set role = 'owner'`.execute(tx)
}

/** Takes chats out whose messages are gone, with their members; what follows from them goes along. */
export async function deleteImportedChats(tx: Tx, ids: readonly number[]) {
  await sql`delete from threads where chat_id = any(${ids}) or message_chat_id = any(${ids})`.execute(tx)
  await sql`delete from chat_members where chat_id = any(${ids})`.execute(tx)
  await sql`delete from chat_tags where chat_id = any(${ids})`.execute(tx)
  await sql`delete from chat_rosters where chat_id = any(${ids})`.execute(tx)
  await sql`delete from chats where id = any(${ids})`.execute(tx)
}
