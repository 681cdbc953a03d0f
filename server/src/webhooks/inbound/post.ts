import { postInboundJob } from '@parley/contract'
import { sql } from 'kysely'
import { postMessage } from '../../messages/post.js'
import { actingFor } from '../../platform/actor.js'
import type { Context } from '../../platform/context.js'
import { type Db, read, type Tx } from '../../platform/db/index.js'
import { transaction } from '../../platform/db/transaction.js'
import { enqueue } from '../../platform/jobs/enqueue.js'
import { deleteKeyedJob } from '../../platform/jobs/queries.js'
import { Problem } from '../../platform/problem.js'

/** Chats that get a text within one transaction. */
const CHATS_AT_ONCE = 20

export interface InboundPost {
  bot_id: number
  content: string
  link_preview: boolean
  ip_address: string | null
  user_agent: string | null
}

const jobKey = (botId: number) => `inbound:${botId}`

/** Leaves a text to be posted; one job at a time posts those of a bot, so that they stay in order. */
export async function leaveToPost(tx: Tx, ctx: Context, post: InboundPost) {
  await tx.insertInto('inbound_posts').values(post).execute()
  await enqueue(tx, ctx, postInboundJob, { bot_id: post.bot_id }, { key: jobKey(post.bot_id) })
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

async function nextChats(tx: Tx, botId: number, after: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select c.id from chat_members m join chats c on c.id = m.chat_id
    where m.user_id = ${botId} and ${POSTABLE} and c.id > ${after}
    order by c.id limit ${CHATS_AT_ONCE}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** A chat that does not take it (a channel where the bot only reads) does not keep it from the others. */
async function postIn(
  tx: Tx,
  ctx: Context,
  post: InboundPost & { plan: 'corporation' | 'standard' },
  chatId: number,
) {
  const { bot_id, plan, ip_address, user_agent, content, link_preview } = post
  const actor = { ...actingFor(bot_id, 'bot', plan), ip_address, user_agent }
  await sql`savepoint before_chat`.execute(tx)
  try {
    await postMessage(ctx, actor, { entity_id: chatId, content, link_preview }, { tx })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await sql`rollback to savepoint before_chat`.execute(tx)
  }
}

/** Posts the next piece; false where nothing was left. */
function postPiece(ctx: Context, botId: number): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    const { rows } = await sql<
      InboundPost & { id: number; after_chat_id: number; plan: 'corporation' | 'standard' }
    >`
      select p.*, w.plan from inbound_posts p cross join workspace w
      where p.bot_id = ${botId} order by p.id limit 1 for update of p`.execute(tx)
    const post = rows[0]
    if (!post) return false
    const chats = await nextChats(tx, botId, post.after_chat_id)
    for (const chat of chats) await postIn(tx, ctx, post, chat)
    if (chats.length < CHATS_AT_ONCE) await tx.deleteFrom('inbound_posts').where('id', '=', post.id).execute()
    else {
      const after_chat_id = chats.at(-1) as number
      await tx.updateTable('inbound_posts').set({ after_chat_id }).where('id', '=', post.id).execute()
    }
    return true
  })
}

/**
 * Ends the job in the transaction that finds nothing left. A request that adds a text locks the bot's row too, so it is
 * either seen here, or finds no job and makes one.
 */
function endJob(ctx: Context, botId: number): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    await tx.selectFrom('bots').select('user_id').where('user_id', '=', botId).forUpdate().execute()
    const left = await tx
      .selectFrom('inbound_posts')
      .select('id')
      .where('bot_id', '=', botId)
      .executeTakeFirst()
    if (left) return false
    await deleteKeyedJob(tx, jobKey(botId))
    return true
  })
}

export async function postInbound(ctx: Context, { bot_id }: { bot_id: number }) {
  do {
    while (await postPiece(ctx, bot_id));
  } while (!(await endJob(ctx, bot_id)))
}
