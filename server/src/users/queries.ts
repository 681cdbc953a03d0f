import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
import type { Actor } from '../platform/actor.js'
import {
  type Autocommit,
  type AutocommitPool,
  type DB,
  type Db,
  read,
  type Tx,
  writeRows,
} from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'
import { COUNTED_AT_MOST } from '../platform/http/search-total.js'

export type UserRow = Selectable<DB['users']>

/** A bot `b` that anybody may add is public: everybody sees it and may write to it. */
export const PUBLIC_BOT_SQL = `b.who_can_add = 'anyone'`

/** Whether `maySee` lets the actor see this person. rights.test.ts compares the two. */
export function seenBy(
  actor: Pick<Actor, 'user_id' | 'role'>,
  userId: RawBuilder<unknown> = sql`u.id`,
): RawBuilder<boolean> {
  if (actor.role !== 'multi_guest') return sql<boolean>`true`
  return sql<boolean>`${userId} in (
    select ${actor.user_id}::bigint
    union all
    select theirs.user_id from chat_members mine
      join chats c on c.id = mine.chat_id and c.kind <> 'thread' and c.archived_at is null
      join chat_members theirs on theirs.chat_id = c.id
    where mine.user_id = ${actor.user_id}
    union all
    select b.user_id from bots b where ${sql.raw(PUBLIC_BOT_SQL)})`
}

/** The person as the actor may see them; undefined where deleted, unknown or out of sight. */
export async function findUserFor(db: Db, actor: Actor, userId: number): Promise<UserRow | undefined> {
  const rows = await read(
    db,
    sql<UserRow>`
    select u.* from users u where u.id = ${userId} and u.deleted_at is null and ${seenBy(actor)}`,
  )
  return rows[0]
}

export function lockUser(tx: Tx, userId: number): Promise<UserRow | undefined> {
  return tx
    .selectFrom('users')
    .selectAll()
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export interface Match {
  text: string
  /** Whether mail and phone of others count too. */
  contacts: boolean
}

function pattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** The expressions are those of the indexes users_names and users_contacts. */
function matches(actor: Actor, { text, contacts }: Match): RawBuilder<boolean> {
  const like = pattern(text)
  const mine = contacts ? sql`true` : sql`u.id = ${actor.user_id}`
  return sql<boolean>`u.deleted_at is null and not u.bot and ${seenBy(actor)} and (
    (coalesce(u.first_name, '') || ' ' || coalesce(u.last_name, '') || E'\n' || u.nickname) ilike ${like}
    or (coalesce(u.email, '') || E'\n' || coalesce(u.phone_number, '')) ilike ${like} and ${mine})`
}

/** So many people, by id, are looked through for a common text before all of its matches are sorted. */
const WINDOW = 2000

/**
 * A page of the matches, by id: found by the index of names, or, of a common text, among the next people. A plan for all
 * texts would either walk everybody for a rare one or sort everybody for a common one.
 */
export async function listMatchIdsFor(
  db: Db,
  actor: Actor,
  match: Match,
  { common, paging }: { common: boolean; paging: Paging },
): Promise<{ id: number }[]> {
  const { where, orderBy, limit, offset } = keyset(paging, { id: sql`u.id` })
  const list = (people: RawBuilder<unknown>) =>
    read(
      db,
      sql<{ id: number }>`
      with found as materialized (select u.id from ${people} where ${matches(actor, match)} and ${where})
      select u.id from found u order by ${orderBy} limit ${limit} offset ${offset}`,
    )
  if (common && paging.offset === 0) {
    const next = sql`(select * from users u where u.deleted_at is null and ${where} order by ${orderBy} limit ${sql.lit(WINDOW)}) u`
    const rows = await list(next)
    if (rows.length > paging.limit) return rows
  }
  return list(sql`users u`)
}

/** How many there are, counted up to one more than a search tells. */
export async function countMatchesFor(db: Db, actor: Actor, match: Match): Promise<number> {
  const rows = await read(
    db,
    sql<{ total: number }>`
    select count(*) as total from (
      select from users u where ${matches(actor, match)} limit ${sql.lit(COUNTED_AT_MOST + 1)}) counted`,
  )
  return rows[0]?.total ?? 0
}

export async function listTagNames(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('user_tags')
    .innerJoin('group_tags', 'group_tags.id', 'user_tags.tag_id')
    .select('name')
    .where('user_id', '=', userId)
    .orderBy('group_tags.id')
    .execute()
  return rows.map(({ name }) => name)
}

export async function isNicknameTaken(db: Db, nickname: string, exceptId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(sql`lower(nickname)`, '=', nickname.toLowerCase())
    .where('deleted_at', 'is', null)
    .where('id', '<>', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

export function findBotSettings(db: Db, botId: number) {
  return db.selectFrom('bots').select('single_chat').where('user_id', '=', botId).executeTakeFirst()
}

/** The account that signs in with this mail. */
export function findAccount(db: Db, email: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('deleted_at', 'is', null)
    .where('bot', '=', false)
    .executeTakeFirst()
}

/** Adds a person or a bot; undefined where the nickname is taken by somebody who is still there. */
export function insertUser(db: Autocommit, user: Insertable<DB['users']>): Promise<UserRow | undefined> {
  return db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) =>
      conflict.expression(sql`lower(nickname)`).where('deleted_at', 'is', null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

export function updateUser(tx: Tx, userId: number, change: Updateable<DB['users']>): Promise<UserRow> {
  return tx.updateTable('users').set(change).where('id', '=', userId).returningAll().executeTakeFirstOrThrow()
}

export async function noteActivity(pool: AutocommitPool, userId: number, at: Date) {
  await writeRows(pool, 'update users set last_activity_at = $2 where id = $1', [userId, at])
}
