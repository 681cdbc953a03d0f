import { postInboundJob } from '@parley/contract'
import { postMessage } from '../../messages/post.js'
import { actingFor } from '../../platform/actor.js'
import type { Context } from '../../platform/context.js'
import type { Tx } from '../../platform/db/index.js'
import { rollBackTo, setSavepoint } from '../../platform/db/savepoint-queries.js'
import { transaction } from '../../platform/db/transaction.js'
import { enqueue } from '../../platform/jobs/enqueue.js'
import { deleteKeyedJob } from '../../platform/jobs/queries.js'
import { Problem } from '../../platform/problem.js'
import {
  deletePost,
  type InboundPost,
  insertInboundPost,
  listNextChats,
  lockAndFindWaiting,
  lockNextPost,
  updatePosted,
  type WaitingPost,
} from './queries.js'

/** Chats that get a text within one transaction. */
const CHATS_AT_ONCE = 20

const jobKey = (botId: number) => `inbound:${botId}`

/** Leaves a text to be posted; one job at a time posts those of a bot, so that they stay in order. */
export async function leaveToPost(tx: Tx, ctx: Context, post: InboundPost) {
  await insertInboundPost(tx, post)
  await enqueue(tx, ctx, postInboundJob, { bot_id: post.bot_id }, { key: jobKey(post.bot_id) })
}

/** A chat that does not take it (a channel where the bot only reads) does not keep it from the others. */
async function postIn(tx: Tx, ctx: Context, post: WaitingPost, chatId: number) {
  const { bot_id, plan, ip_address, user_agent, content, link_preview } = post
  const actor = { ...actingFor(bot_id, 'bot', plan), ip_address, user_agent }
  await setSavepoint(tx, 'before_chat')
  try {
    await postMessage(ctx, actor, { entity_id: chatId, content, link_preview }, { tx })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    await rollBackTo(tx, 'before_chat')
  }
}

/** Posts the next piece; false where nothing was left. */
function postPiece(ctx: Context, botId: number): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    const post = await lockNextPost(tx, botId)
    if (!post) return false
    const chats = await listNextChats(tx, botId, post.after_chat_id, CHATS_AT_ONCE)
    for (const chat of chats) await postIn(tx, ctx, post, chat)
    if (chats.length < CHATS_AT_ONCE) await deletePost(tx, post.id)
    else await updatePosted(tx, post.id, chats.at(-1) as number)
    return true
  })
}

/**
 * Ends the job in the transaction that finds nothing left. A request that adds a text locks the bot's row too, so it is
 * either seen here, or finds no job and makes one.
 */
function endJob(ctx: Context, botId: number): Promise<boolean> {
  return transaction(ctx, async (tx) => {
    if (await lockAndFindWaiting(tx, botId)) return false
    await deleteKeyedJob(tx, jobKey(botId))
    return true
  })
}

export async function postInbound(ctx: Context, { bot_id }: { bot_id: number }) {
  do {
    while (await postPiece(ctx, bot_id));
  } while (!(await endJob(ctx, bot_id)))
}
