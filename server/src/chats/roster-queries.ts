import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { addableSql } from './bot-queries.js'
import { EVERYTHING_READ, lockRosterCounts } from './member-queries.js'
import type { ChatRow } from './queries.js'

export interface Membership {
  chat_id: number
  user_id: number
}

/** The role in a chat is given once, by what the chat and the person are when they meet. */
const ROLE = sql`case when u.id = c.owner_id then 'owner' when c.kind = 'thread' then 'member'
  when u.bot then case when c.kind = 'channel' then 'editor' else 'member' end
  when u.role in ('owner', 'admin') then 'admin' else 'member' end`

/** The trigger chat_members_place gives the same to rows that name no place; rights.test.ts compares the two. */
export const PLACE = sql`case when c.kind in ('personal', 'thread') then c.kind
  when c.archived_at is null then 'group' else 'archive' end`

/** Locks the counts of all chats that these tags may bring these people into, or take them out of, before the first one moves. */
export async function lockRostersOf(tx: Tx, userIds: readonly number[], tagIds: readonly number[]) {
  await lockRosterCounts(
    tx,
    sql`select chat_id from chat_tags where tag_id = any(${tagIds}::bigint[])
      union select chat_id from chat_members
        where user_id = any(${userIds}::bigint[]) and tag_ids && ${tagIds}::bigint[]`,
  )
}

/** Adds people by hand; returns the new members. Those whom a tag had added need `holdByHand` at the end. */
export async function joinByHand(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  chat: Pick<ChatRow, 'id'>,
  userIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    insert into chat_members (chat_id, user_id, role, place, read_message_id, read_number, joined_at)
    select c.id, u.id, ${ROLE}, ${PLACE}, ${EVERYTHING_READ}, ${now(ctx.clock)} from chats c cross join users u
    where c.id = ${chat.id} and u.id = any(${userIds}::bigint[]) order by u.id
    on conflict do nothing returning user_id`.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

/** Members that a tag had added stay without it. Their rows come after that of the chat: they may be writing right now. */
export async function holdByHand(tx: Tx, chatId: number, userIds: readonly number[]) {
  await sql`
    update chat_members set manual = true
    where chat_id = ${chatId} and user_id = any(${userIds}::bigint[]) and not manual`.execute(tx)
}

type Whom = { tag_ids: readonly number[] } & ({ chat_id: number } | { user_id: number })

/** A bot comes in only where the actor might add it by hand. */
function lettingIn(ctx: Pick<Context, 'clock'>, actor: Actor, whom: Whom) {
  const where = 'chat_id' in whom ? sql`ct.chat_id = ${whom.chat_id}` : sql`ut.user_id = ${whom.user_id}`
  return sql`
    insert into chat_members as m (chat_id, user_id, role, place, manual, tag_ids, read_message_id, read_number, joined_at)
    select c.id, u.id, ${ROLE}, ${PLACE}, false, brought.tag_ids, ${EVERYTHING_READ}, ${now(ctx.clock)}
    from (select ct.chat_id, ut.user_id, array_agg(ct.tag_id) as tag_ids
      from chat_tags ct join user_tags ut on ut.tag_id = ct.tag_id
      where ct.tag_id = any(${whom.tag_ids}::bigint[]) and ${where} and not exists (
        select from chat_members x where x.chat_id = ct.chat_id and x.user_id = ut.user_id and x.tag_ids @> array[ct.tag_id])
      group by ct.chat_id, ut.user_id) brought
    join chats c on c.id = brought.chat_id
    join users u on u.id = brought.user_id and u.deleted_at is null
    where not u.bot or exists (select from bots b where b.user_id = u.id and ${addableSql(actor)})
    order by c.id, u.id`
}

/**
 * Lets in whom these tags bring, in one chat or everywhere for one person, and holds those who are in already.
 * Gives those who were no members.
 */
export async function joinByTags(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  actor: Actor,
  whom: Whom,
): Promise<Membership[]> {
  if (whom.tag_ids.length === 0) return []
  const { rows } = await sql<Membership & { fresh: boolean }>`
    ${lettingIn(ctx, actor, whom)}
    on conflict (chat_id, user_id) do update set tag_ids = case when m.tag_ids = '{}' then excluded.tag_ids
      else array(select unnest(m.tag_ids) union select unnest(excluded.tag_ids)) end
    returning chat_id, user_id, xmax = 0 as fresh`.execute(tx)
  return rows.filter(({ fresh }) => fresh)
}

/**
 * Lets in those alone who are no members. It touches no row of a member, so that nobody's message in the chat waits
 * while thousands join; `joinByTags` at the end holds the rest.
 */
export async function joinNewByTags(
  tx: Tx,
  ctx: Pick<Context, 'clock'>,
  actor: Actor,
  whom: Whom,
): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    ${lettingIn(ctx, actor, whom)} on conflict do nothing returning chat_id, user_id`.execute(tx)
  return rows
}

async function letGo(
  tx: Tx,
  tagIds: readonly number[],
  where: RawBuilder<unknown>,
  stays: RawBuilder<unknown>,
) {
  await lockRosterCounts(
    tx,
    sql`select m.chat_id from chat_members m join chats c on c.id = m.chat_id
      where ${where} and m.tag_ids && ${tagIds}::bigint[]`,
  )
  const { rows } = await sql<Membership>`
    with held as materialized (
      select m.chat_id, m.user_id, not m.manual and m.tag_ids <@ ${tagIds}::bigint[] and not ${stays} as leaves
      from chat_members m join chats c on c.id = m.chat_id
      where ${where} and m.tag_ids && ${tagIds}::bigint[]
      order by m.chat_id, m.user_id for update of m
    ), gone as (
      delete from chat_members m using held h
      where h.leaves and m.chat_id = h.chat_id and m.user_id = h.user_id returning m.chat_id, m.user_id
    ), kept as (
      update chat_members m
      set tag_ids = array(select unnest(m.tag_ids) except select unnest(${tagIds}::bigint[])),
        manual = m.manual or m.tag_ids <@ ${tagIds}::bigint[]
      from held h where not h.leaves and m.chat_id = h.chat_id and m.user_id = h.user_id
    )
    select chat_id, user_id from gone order by chat_id, user_id`.execute(tx)
  return rows
}

/** After a tag was unbound from a chat: whom nothing else holds leaves; the creator stays. */
export async function releaseFromChat(tx: Tx, chatId: number, tagId: number): Promise<number[]> {
  const rows = await letGo(tx, [tagId], sql`m.chat_id = ${chatId}`, sql`m.user_id = c.owner_id`)
  return rows.map(({ user_id }) => user_id)
}

/**
 * After a person lost tags: they leave every chat that those tags added them to, unless something else holds them there. Chats
 * count from which a tag was unbound a moment ago: it may be bound again before its people have left.
 */
export function releasePerson(tx: Tx, userId: number, tagIds: readonly number[]): Promise<Membership[]> {
  return letGo(tx, tagIds, sql`m.user_id = ${userId}`, sql`false`)
}

/** Whom a bound tag brought stays as if added by hand; a tag unbound before still takes its people along. */
export async function keepTagged(tx: Tx, chatId: number) {
  await sql`
    update chat_members m set manual = true,
      tag_ids = array(select unnest(m.tag_ids) except select tag_id from chat_tags where chat_id = ${chatId})
    where m.chat_id = ${chatId} and m.tag_ids && array(select tag_id from chat_tags where chat_id = ${chatId})`.execute(
    tx,
  )
}

/** The same in chats that a deleted tag was bound to. */
export async function keepTaggedBy(tx: Tx, chatId: number, tagId: number) {
  await sql`
    update chat_members set manual = true, tag_ids = array_remove(tag_ids, ${tagId}::bigint)
    where chat_id = ${chatId} and ${tagId}::bigint = any(tag_ids)`.execute(tx)
}

/** Counts the active members of some chats of a person, in the order of their ids; gives the last of them, if there may be more. */
export async function recountRosters(
  tx: Tx,
  userId: number,
  after: number,
  limit: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select chat_id as id from chat_members where user_id = ${userId} and chat_id > ${after} order by chat_id limit ${limit}`.execute(
    tx,
  )
  const ids = rows.map(({ id }) => id)
  await sql`select from chat_rosters where chat_id = any(${ids}::bigint[]) order by chat_id for no key update`.execute(
    tx,
  )
  await sql`
    update chat_rosters r set members_count = active.count
    from unnest(${ids}::bigint[]) as chat (id) cross join lateral (
      select count(*)::int as count from chat_members m
      join users u on u.id = m.user_id and not u.suspended and u.deleted_at is null where m.chat_id = chat.id) active
    where r.chat_id = chat.id and r.members_count <> active.count`.execute(tx)
  return ids.length === limit ? ids.at(-1) : undefined
}

/** Moves up to so many memberships to another part of their lists; returns how many there were. */
export async function placeMembers(tx: Tx, chatId: number, place: 'group' | 'archive', limit: number | null) {
  const { numAffectedRows } = await sql`
    update chat_members m set place = ${place} from (
      select user_id from chat_members where chat_id = ${chatId} and place <> ${place} limit ${limit}) x
    where m.chat_id = ${chatId} and m.user_id = x.user_id`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
