import { sql } from 'kysely'
import { type Db, read, type Tx } from '../../platform/db/index.js'

export interface InboundBot {
  user_id: number
  creator_id: number | null
  kind: string | null
  template: string
  template_engine: string
  challenge_key: string
  link_preview_enabled: boolean
  suspended: boolean
}

/** The bot behind an inbound address. */
export function findBotByKey(db: Db, key: string): Promise<InboundBot | undefined> {
  return db
    .selectFrom('bots')
    .innerJoin('users', 'users.id', 'bots.user_id')
    .select(['user_id', 'creator_id', 'kind', 'template', 'template_engine', 'suspended'])
    .select(['challenge_key', 'link_preview_enabled'])
    .where('inbound_key', '=', key)
    .where('kind', 'is not', null)
    .executeTakeFirst()
}

export interface InboundPost {
  bot_id: number
  content: string
  link_preview: boolean
  ip_address: string | null
  user_agent: string | null
}

export async function insertInboundPost(tx: Tx, post: InboundPost) {
  await tx.insertInto('inbound_posts').values(post).execute()
}

export interface WaitingPost extends InboundPost {
  id: number
  after_chat_id: number
  plan: 'corporation' | 'standard'
}

/** The oldest text of a bot that is not in all of its chats yet. */
export async function lockNextPost(tx: Tx, botId: number): Promise<WaitingPost | undefined> {
  const { rows } = await sql<WaitingPost>`
    select p.*, w.plan from inbound_posts p cross join workspace w
    where p.bot_id = ${botId} order by p.id limit 1 for update of p`.execute(tx)
  return rows[0]
}

const POSTABLE = sql`c.kind in ('conversation', 'channel') and c.archived_at is null`

/** Chats that a text of this bot goes to. */
export async function countChats(db: Db, botId: number): Promise<number> {
  const [row] = await read(
    db,
    sql<{ chats: number }>`
    select count(*)::int as chats from chat_members m join chats c on c.id = m.chat_id
    where m.user_id = ${botId} and ${POSTABLE}`,
  )
  return row?.chats ?? 0
}

/** Live chats of a bot behind one of them, in the order of their ids. */
export async function listNextChats(db: Db, botId: number, after: number, count: number): Promise<number[]> {
  const rows = await read(
    db,
    sql<{ id: number }>`
    select c.id from chat_members m join chats c on c.id = m.chat_id
    where m.user_id = ${botId} and ${POSTABLE} and c.id > ${after}
    order by c.id limit ${count}`,
  )
  return rows.map(({ id }) => id)
}

export async function deletePost(tx: Tx, postId: number) {
  await tx.deleteFrom('inbound_posts').where('id', '=', postId).execute()
}

/** Notes up to which chat a text was posted. */
export async function updatePosted(tx: Tx, postId: number, after_chat_id: number) {
  await tx.updateTable('inbound_posts').set({ after_chat_id }).where('id', '=', postId).execute()
}

/** Whether texts of the bot wait; a concurrent insert is waited for. */
export async function lockAndFindWaiting(tx: Tx, botId: number): Promise<boolean> {
  await tx.selectFrom('bots').select('user_id').where('user_id', '=', botId).forUpdate().execute()
  const left = await tx
    .selectFrom('inbound_posts')
    .select('id')
    .where('bot_id', '=', botId)
    .executeTakeFirst()
  return left !== undefined
}
