import { loadEditable } from '../bots/load.js'
import type { BotReactions } from '../bots/reactions.js'
import { deleteUrl, updatePaused, updateResumed } from '../bots/webhook-queries.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { ringAfterCommit, transaction } from '../platform/db/transaction.js'
import { cancelWaiting, updateLanesDue, updateLanesPaused } from './lane-queries.js'
import { notifyEditors } from './notify-editors.js'

/** Makes waiting deliveries due at once, and resets the failure count. */
export function resumeUrl(ctx: Context, actor: Actor, botId: number) {
  return transaction(ctx, async (tx) => {
    await loadEditable(tx, actor, botId, 'resume')
    await resumeLanes(tx, ctx, botId)
  })
}

/** Stops sending to an address that fails and fails; what is waiting for it is kept. */
export function pauseUrl(ctx: Context, botId: number) {
  return transaction(ctx, async (tx) => {
    if (!(await updatePaused(tx, botId, now(ctx.clock)))) return
    await updateLanesPaused(tx, botId)
    await notifyEditors(tx, ctx, botId, 'webhook_paused')
  })
}

/** Sends on what waited, in order: after a pause, or to a new address. */
async function resumeLanes(tx: Tx, ctx: Context, botId: number) {
  await updateResumed(tx, botId)
  await updateLanesDue(tx, botId, now(ctx.clock))
  ringAfterCommit(tx, 'deliveries')
}

/** The receiver said that the address is gone for good: it is taken away, unless it was changed meanwhile. */
export function disableUrl(ctx: Context, botId: number, url: string) {
  return transaction(ctx, async (tx) => {
    if (!(await deleteUrl(tx, botId, url))) return
    await cancelWaiting(tx, botId)
    await notifyEditors(tx, ctx, botId, 'webhook_disabled')
  })
}

/** What waits goes to a new address at once, or is dropped where there is none any more. */
export const botReactions: BotReactions = {
  async urlChanged(tx, ctx, botId, url) {
    await resumeLanes(tx, ctx, botId)
    if (url === '') await cancelWaiting(tx, botId)
  },
  deleted: cancelWaiting,
}
