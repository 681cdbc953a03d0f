import { type RawBuilder, sql } from 'kysely'
import { anyId } from '../platform/db/any-sql.js'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'

export interface MemberRow {
  user_id: number
  role: string
  manual: boolean
  /** Held by a tag that is bound now. */
  held: boolean
}

const HELD = sql`exists (select from chat_tags t where t.chat_id = m.chat_id and t.tag_id = any(m.tag_ids))`

export async function lockMember(tx: Tx, chatId: number, userId: number): Promise<MemberRow | undefined> {
  const { rows } = await sql<MemberRow>`
    select m.user_id, m.role, m.manual, ${HELD} as held from chat_members m
    where m.chat_id = ${chatId} and m.user_id = ${userId} for update`.execute(tx)
  return rows[0]
}

/** A message, and its number in the chat. */
export interface MessagePlace {
  id: number
  number: number
}

/** Newcomers of the chat `c` have read what was there before them: a long history is no news. */
export const EVERYTHING_READ = sql`coalesce(c.last_message_id, 0), c.messages_count`

interface NewMembership {
  role: string | ((userId: number) => string)
  joined_at: Date
  /** The first message that they have not read; absent where they have read everything that is there. */
  unread_from?: MessagePlace
}

/** Puts people into a chat in roles that are settled; gives those who were no members. */
export async function insertMembers(
  tx: Tx,
  chatId: number,
  userIds: readonly number[],
  { role, joined_at, unread_from }: NewMembership,
): Promise<number[]> {
  const roles = userIds.map((userId) => (typeof role === 'string' ? role : role(userId)))
  const read = unread_from
    ? sql`${unread_from.id - 1}::bigint, ${unread_from.number - 1}::int`
    : EVERYTHING_READ
  const { rows } = await sql<{ user_id: number }>`
    insert into chat_members (chat_id, user_id, role, joined_at, read_message_id, read_number)
    select c.id, given.user_id, given.role, ${joined_at}::timestamptz, ${read}
    from chats c cross join unnest(${userIds}::bigint[], ${roles}::text[]) as given (user_id, role)
    where c.id = ${chatId}
    on conflict do nothing returning user_id`.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

/** Takes these people out of the chat; gives those who were in it. */
export async function deleteMembers(tx: Tx, chatId: number, userIds: readonly number[]): Promise<number[]> {
  const rows = await tx
    .deleteFrom('chat_members')
    .where('chat_id', '=', chatId)
    .where('user_id', '=', anyId(userIds))
    .returning('user_id')
    .execute()
  // Rows come in the order in which they were found; what is told of them has one order.
  return rows.map(({ user_id }) => user_id).sort((a, b) => a - b)
}

export async function updateMember(
  tx: Tx,
  chatId: number,
  userId: number,
  change: { role?: string; manual?: boolean },
) {
  await tx
    .updateTable('chat_members')
    .set(change)
    .where('chat_id', '=', chatId)
    .where('user_id', '=', userId)
    .execute()
}

/** Active members in the order of their ids; staff has an index of its own, so that it is found in a big roster. */
export async function listMemberIds(db: Db, chatId: number, role: string, paging: Paging) {
  const page = keyset(paging, { of: ['m.chat_id', sql`${chatId}::bigint`], id: sql`m.user_id` })
  // A role other than member is a literal of the text, so that the partial index can be used.
  const ofRole =
    role === 'all'
      ? sql`true`
      : role === 'member'
        ? sql`m.role = 'member'`
        : sql`m.role = ${role} and m.role <> 'member'`
  const rows = await read(
    db,
    sql<{ id: number }>`
    select m.user_id as id from chat_members m
    join users u on u.id = m.user_id and not u.suspended and u.deleted_at is null
    where ${ofRole} and ${page.where}
    order by ${page.orderBy} limit ${page.limit}`,
  )
  return rows
}

/** Somebody to be added, with all that could speak against it. */
export interface Candidate {
  id: number
  bot: boolean
  role: string
  active: boolean
  creator_id: number | null
  who_can_add: string | null
  single_chat: boolean | null
  /** In another live conversation or channel. */
  elsewhere: boolean
  member: boolean
  in_parent: boolean
}

/**
 * Holds these people as they are until the commit. Guests and bots of a single chat are held for oneself, because
 * somebody else may be adding them to another chat right now.
 */
export async function lockPeople(tx: Tx, userIds: readonly number[]) {
  await sql`
    select from users u where u.id = any(${userIds}::bigint[])
      and (u.role = 'guest' or exists (select from bots b where b.user_id = u.id and b.single_chat))
    order by u.id for no key update of u`.execute(tx)
  await sql`select from users u where u.id = any(${userIds}::bigint[]) order by u.id for share`.execute(tx)
}

/** By their schema, as a chat that the token of the actor does not see counts too. */
export const EVERY_MEMBERSHIP = sql`public.chat_members m join public.chats c on c.id = m.chat_id`

export async function listCandidates(
  tx: Tx,
  userIds: readonly number[],
  chat: { id: number; parent_chat_id: number | null } | null,
): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select u.id, u.bot, u.role, not u.suspended and u.deleted_at is null as active,
      b.creator_id, b.who_can_add, b.single_chat,
      (u.role = 'guest' or coalesce(b.single_chat, false)) and exists (
        select from ${EVERY_MEMBERSHIP} where m.user_id = u.id and m.place = 'group' and c.archived_at is null and c.id <> ${chat?.id ?? 0}) as elsewhere,
      exists (select from chat_members m where m.chat_id = ${chat?.id ?? 0} and m.user_id = u.id) as member,
      exists (select from chat_members m where m.chat_id = ${chat?.parent_chat_id ?? 0} and m.user_id = u.id) as in_parent
    from users u left join bots b on b.user_id = u.id
    where u.id = any(${userIds}::bigint[]) order by u.id`.execute(tx)
  return rows
}

/** Locks the counts of members of these chats, before any of their members. */
export async function lockRosterCounts(tx: Tx, chatIds: RawBuilder<unknown>) {
  await sql`
    select from chat_rosters where chat_id in (${chatIds}) order by chat_id for no key update`.execute(tx)
}

export interface LeftChat {
  id: number
  thread_id: number | null
  parent_chat_id: number | null
}

/** The counts of all conversations, channels and threads that somebody is in. */
export async function lockMemberships(tx: Tx, userId: number) {
  await lockRosterCounts(
    tx,
    sql`select chat_id from chat_members where user_id = ${userId} and place <> 'personal'`,
  )
}

/** Takes a person out of every conversation, channel and thread; gives the chats that were left. */
export async function deleteMemberships(tx: Tx, userId: number): Promise<LeftChat[]> {
  await lockMemberships(tx, userId)
  const { rows } = await sql<LeftChat>`
    with gone as (
      delete from chat_members m where m.user_id = ${userId} and m.place <> 'personal' returning m.chat_id
    )
    select gone.chat_id as id, t.id as thread_id, t.message_chat_id as parent_chat_id
    from gone left join threads t on t.chat_id = gone.chat_id order by gone.chat_id`.execute(tx)
  return rows
}

export interface LeftThread extends LeftChat {
  user_ids: number[]
}

const GUEST = sql`u.role in ('guest', 'multi_guest')`

/**
 * Takes these people out of the threads of a chat that they cannot read any more; gives the threads that were left.
 * Nobody leaves where the workspace lets them stay.
 */
export async function deleteThreadMemberships(
  tx: Tx,
  chatId: number,
  userIds: readonly number[],
): Promise<LeftThread[]> {
  await lockRosterCounts(
    tx,
    sql`select m.chat_id from chat_members m join threads t on t.chat_id = m.chat_id
      where t.message_chat_id = ${chatId} and m.user_id = any(${userIds}::bigint[])`,
  )
  const { rows } = await sql<LeftThread>`
    with gone as (
      delete from chat_members m using threads t, chats c, users u
      where c.id = ${chatId} and t.message_chat_id = c.id and m.chat_id = t.chat_id and u.id = m.user_id
        and u.id = any(${userIds}::bigint[]) and (not c.public or ${GUEST})
        and not (select removed_members_keep_threads from workspace)
      returning m.chat_id as id, t.id as thread_id, t.message_chat_id as parent_chat_id, m.user_id
    )
    select id, thread_id, parent_chat_id, array_agg(user_id order by user_id) as user_ids
    from gone group by id, thread_id, parent_chat_id order by id`.execute(tx)
  return rows
}

/** Guests of both kinds who are in the chat or in one of its threads. */
export async function listGuestIds(db: Db, chatId: number): Promise<number[]> {
  const rows = await read(
    db,
    sql<{ id: number }>`
    select distinct u.id from chat_members m join users u on u.id = m.user_id and ${GUEST}
    where m.chat_id = ${chatId} or m.chat_id in (select chat_id from threads where message_chat_id = ${chatId})
    order by u.id`,
  )
  return rows.map(({ id }) => id)
}

/** Whether its creator or an admin is in the chat, and active. */
export async function isManaged(db: Db, chatId: number): Promise<boolean> {
  const rows = await read(
    db,
    sql<{ managed: boolean }>`
    select exists (
      select from chat_members m join users u on u.id = m.user_id and not u.suspended and u.deleted_at is null
      where m.chat_id = ${chatId} and m.role in ('owner', 'admin') and m.role <> 'member') as managed`,
  )
  return rows[0]?.managed ?? false
}
