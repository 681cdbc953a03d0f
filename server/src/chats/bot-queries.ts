import { type RawBuilder, sql } from 'kysely'
import { type Actor, isAdmin } from '../platform/actor.js'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { EVERY_MEMBERSHIP, lockPeople } from './member-queries.js'
import { mayAddBot } from './member-rules.js'

const WHO_CAN_ADD = ['creator', 'creator_admin', 'creator_admin_user', 'anyone'] as const

/** Whether the actor may add bot `b`: `mayAddBot`, asked for every setting there is. */
export function addableSql(actor: Actor): RawBuilder<boolean> {
  const allowed = WHO_CAN_ADD.filter((who_can_add) => mayAddBot(actor, { creator_id: null, who_can_add }))
  const own = mayAddBot(actor, { creator_id: actor.user_id, who_can_add: null })
  return sql<boolean>`(b.who_can_add = any(${allowed}::text[]) or (${own}::boolean and b.creator_id = ${actor.user_id}))`
}

/** Whether somebody owns or administers a conversation or channel of bot `b`, and may edit it for that. */
export function ownsChatSql(userId: RawBuilder<unknown>) {
  return sql<boolean>`('chat_owners' = any (b.can_edit) and exists (
    select from chat_members mine
    join chats c on c.id = mine.chat_id and c.kind in ('conversation', 'channel')
    join chat_members its on its.chat_id = mine.chat_id and its.user_id = b.user_id
    where mine.user_id = ${userId} and mine.role in ('owner', 'admin')))`
}

/** Nobody is left who made bot `b`. */
export const ORPHANED_SQL = sql<boolean>`not exists (
  select from users creator where creator.id = b.creator_id and creator.deleted_at is null)`

/** Whether `accessOf` gives somebody any access to bot `b` in workspace `w`. rights.test.ts compares the two. */
export function editableBySql(userId: RawBuilder<unknown>, admin: RawBuilder<unknown>) {
  return sql<boolean>`((w.integrations = 'all' or ${admin}) and (b.creator_id = ${userId}
    or (${admin} and ('admin' = any (b.can_edit) or ${ORPHANED_SQL})) or ${ownsChatSql(userId)}))`
}

/** Whether the actor writes to bot `b` because it is his own, or his to edit, in workspace `w`. */
export function writableByEditorsSql(actor: Actor): RawBuilder<boolean> {
  const id = sql`${actor.user_id}::bigint`
  return sql<boolean>`(b.creator_id = ${id} or ${editableBySql(id, sql`${isAdmin(actor)}::boolean`)})`
}

/** Bots that have one of these tags and are kept out of the chat because the actor may not add them. */
export async function listUnaddableBots(
  db: Db,
  actor: Actor,
  chatId: number,
  tagIds: readonly number[],
): Promise<number[]> {
  const rows = await read(
    db,
    sql<{ id: number }>`
    select distinct b.user_id as id from user_tags ut
    join bots b on b.user_id = ut.user_id join users u on u.id = b.user_id and u.deleted_at is null
    where ut.tag_id = any(${tagIds}::bigint[]) and not ${addableSql(actor)}
      and not exists (select from chat_members m where m.chat_id = ${chatId} and m.user_id = b.user_id)`,
  )
  return rows.map(({ id }) => id)
}

/** Members of the chat that are for one chat and are in another live one, held until the commit. */
export async function lockOccupiedBots(tx: Tx, chatId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select b.user_id as id from chat_members m join bots b on b.user_id = m.user_id and b.single_chat
    where m.chat_id = ${chatId} and m.bot`.execute(tx)
  const ids = rows.map(({ id }) => id)
  await lockPeople(tx, ids)
  const { rows: occupied } = await sql<{ id: number }>`
    select distinct m.user_id as id from ${EVERY_MEMBERSHIP} and c.archived_at is null
    where m.user_id = any(${ids}::bigint[]) and m.place = 'group' and m.chat_id <> ${chatId} order by id`.execute(
    tx,
  )
  return occupied.map(({ id }) => id)
}
