import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { editableBySql, ORPHANED_SQL, ownsChatSql } from '../chats/bot-queries.js'
import type { OAuthClient } from '../oauth/client-queries.js'
import { type Actor, isAdmin } from '../platform/actor.js'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'
import { keyset, type Paging } from '../platform/http/page.js'
import { insertUser } from '../users/queries.js'

/** A bot with everything that its card shows, and what the caller is to it. */
export interface BotRow extends Selectable<DB['bots']> {
  name: string
  nickname: string
  image_key: string | null
  created_at: Date
  /** Of the main token; empty where there is none. */
  scopes: string[]
  last_used_at: Date | null
  authorized_users_count: number
  integrations: string
  owns_chat: boolean
  orphaned: boolean
}

/** The main token of a bot: the unnamed one, else the oldest. */
const MAIN_TOKEN_FIRST = sql`(t.name is null) desc, t.id`

function cards(actor: Actor) {
  const id = sql`${actor.user_id}::bigint`
  return sql`
    select b.*, u.first_name as name, u.nickname, u.image_key, u.created_at, w.integrations,
      coalesce((select t.scopes from tokens t where t.user_id = b.user_id and t.kind = 'bot'
        order by ${MAIN_TOKEN_FIRST} limit 1), '{}') as scopes,
      greatest((select max(t.last_used_at) from tokens t where t.user_id = b.user_id and t.kind = 'bot'),
        b.last_request_at) as last_used_at,
      (select count(distinct g.user_id) from oauth_grants g where g.bot_id = b.user_id) as authorized_users_count,
      ${ownsChatSql(id)} as owns_chat, ${ORPHANED_SQL} as orphaned,
      ${editableBySql(id, sql`${isAdmin(actor)}::boolean`)} as editable
    from bots b join users u on u.id = b.user_id and u.deleted_at is null cross join workspace w`
}

/** The bot, and what the actor is to it; undefined where there is no such bot. */
export async function findBotFor(db: Db, actor: Actor, botId: number): Promise<BotRow | undefined> {
  const rows = await read(db, sql<BotRow>`${cards(actor)} where b.user_id = ${botId}`)
  return rows[0]
}

const byName = (query: string | undefined) => {
  if (!query) return sql`true`
  return sql`card.name ilike ${`%${query.replaceAll(/[\\%_]/g, '\\$&')}%`}`
}

/** Bots that the actor may configure. */
export async function listBotsFor(db: Db, actor: Actor, query: string | undefined, paging: Paging) {
  const { where, orderBy, limit } = keyset(paging, { id: sql`card.user_id` })
  const rows = await read(
    db,
    sql<BotRow>`
    select * from (${cards(actor)}) as card
    where card.editable and ${byName(query)} and ${where}
    order by ${orderBy} limit ${limit}`,
  )
  return rows
}

export async function listAllBots(db: Db, actor: Actor, query: string | undefined, paging: Paging) {
  const { where, orderBy, limit } = keyset(paging, { id: sql`card.user_id` })
  const rows = await read(
    db,
    sql<BotRow>`
    select * from (${cards(actor)}) as card where ${byName(query)} and ${where}
    order by ${orderBy} limit ${limit}`,
  )
  return rows
}

export interface PublishedRow {
  user_id: number
  name: string
  nickname: string
  image_key: string | null
  commands: string[]
  promo: unknown
}

/** Bots whose page is published. */
export async function listPublished(db: Db, query: string | undefined, paging: Paging) {
  const { where, orderBy, limit } = keyset(paging, { id: sql`card.user_id` })
  const rows = await read(
    db,
    sql<PublishedRow>`
    select card.* from (
      select b.user_id, u.first_name as name, u.nickname, u.image_key, b.commands, b.promo
      from bots b join users u on u.id = b.user_id and u.deleted_at is null
      where (b.promo->>'published')::boolean) as card
    where ${byName(query)} and ${where}
    order by ${orderBy} limit ${limit}`,
  )
  return rows
}

export async function findIntegrationsRule(db: Db): Promise<string> {
  const { integrations } = await db.selectFrom('workspace').select('integrations').executeTakeFirstOrThrow()
  return integrations
}

/** People who may edit the bot. */
export async function listEditorIds(db: Db, botId: number): Promise<number[]> {
  const rows = await read(
    db,
    sql<{ id: number }>`
    select u.id from users u cross join bots b cross join workspace w
    where b.user_id = ${botId} and u.deleted_at is null and not u.suspended and not u.bot
      and ${editableBySql(sql`u.id`, sql`u.role in ('owner', 'admin')`)}
    order by u.id`,
  )
  return rows.map(({ id }) => id)
}

/** Locks the bot; its version shows whether another editor was faster. */
export function lockBot(tx: Tx, botId: number) {
  return tx.selectFrom('bots').select('version').where('user_id', '=', botId).forUpdate().executeTakeFirst()
}

/** The user row of a new bot, or undefined where the nickname is taken. */
export async function insertBotUser(tx: Tx, bot: { name: string; nickname: string; created_at: Date }) {
  const { name: first_name, nickname, created_at } = bot
  const row = await insertUser(tx, { bot: true, role: 'user', first_name, nickname, created_at })
  return row?.id
}

const ofBot = (db: Db, botId: number) =>
  db.selectFrom('tokens as t').selectAll('t').where('t.user_id', '=', botId).where('t.kind', '=', 'bot')

export function findMainToken(db: Db, botId: number) {
  return ofBot(db, botId).orderBy(MAIN_TOKEN_FIRST).limit(1).executeTakeFirst()
}

export function findBotToken(db: Db, botId: number, tokenId: number) {
  return ofBot(db, botId).where('t.id', '=', tokenId).executeTakeFirst()
}

export async function listBotTokens(db: Db, botId: number, paging: Paging) {
  const { where, orderBy, limit } = keyset(paging, {
    of: ['t.user_id', sql`${botId}::bigint`],
    id: sql`t.id`,
  })
  const rows = await read(
    db,
    sql<Selectable<DB['tokens']>>`
    select t.* from tokens t where t.kind = 'bot' and ${where}
    order by ${orderBy} limit ${limit}`,
  )
  return rows
}

export async function insertBotRow(tx: Tx, bot: Insertable<DB['bots']>) {
  await tx.insertInto('bots').values(bot).execute()
}

/** Changes settings of a bot. The new version shows earlier readers that it was changed. */
export async function updateBotRow(tx: Tx, botId: number, change: Updateable<DB['bots']>) {
  await tx
    .updateTable('bots')
    .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
    .where('user_id', '=', botId)
    .execute()
}

export async function deleteBotRow(tx: Tx, botId: number) {
  await tx.deleteFrom('bots').where('user_id', '=', botId).execute()
}

export async function readClient(db: Db, botId: number): Promise<OAuthClient | null> {
  const row = await db
    .selectFrom('bots')
    .select('oauth_client')
    .where('user_id', '=', botId)
    .executeTakeFirstOrThrow()
  return row.oauth_client
}

export async function writeClient(tx: Tx, botId: number, client: OAuthClient) {
  await updateBotRow(tx, botId, { oauth_client: JSON.stringify(client) })
}

/** What `bots.promo` holds: the page of a bot in the catalogue, with the keys of its pictures. */
export interface Promo {
  description: string | null
  published: boolean
  promo_images: string[]
}

export async function findPromo(db: Db, botId: number): Promise<Promo | null> {
  const row = await db.selectFrom('bots').select('promo').where('user_id', '=', botId).executeTakeFirst()
  return row?.promo ?? null
}
