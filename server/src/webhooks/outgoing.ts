import { loadEditable } from '../bots/load.js'
import type { BotReactions } from '../bots/reactions.js'
import { deleteUrl, updatePaused, updateResumed } from '../bots/webhook-queries.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { ringAfterCommit, transaction } from '../platform/db/transaction.js'
import type { Address } from './address.js'
import {
  findEndpointName,
  updateEndpointGone,
  updateEndpointPaused,
  updateEndpointResumed,
} from './endpoints/state-queries.js'
import { cancelWaiting, cancelWaitingAt, updateLanesDue, updateLanesPaused } from './lane-queries.js'
import { type HaltKind, notifyEditors } from './notify-editors.js'

/** Makes waiting deliveries due at once, and resets the failure count. */
export function resumeUrl(ctx: Context, actor: Actor, botId: number) {
  return transaction(ctx, async (tx) => {
    await loadEditable(tx, actor, botId, 'resume')
    await resumeAddress(tx, ctx, { bot_id: botId, endpoint_id: 0 })
  })
}

async function notifyHalt(tx: Tx, ctx: Context, { bot_id, endpoint_id }: Address, kind: HaltKind) {
  const name = endpoint_id === 0 ? undefined : await findEndpointName(tx, endpoint_id)
  await notifyEditors(tx, ctx, bot_id, kind, name)
}

/** Stops sending to an address that fails and fails; what is waiting for it is kept. */
export function pauseAddress(ctx: Context, address: Address) {
  const { bot_id, endpoint_id } = address
  const at = now(ctx.clock)
  return transaction(ctx, async (tx) => {
    const paused =
      endpoint_id === 0 ? await updatePaused(tx, bot_id, at) : await updateEndpointPaused(tx, endpoint_id, at)
    if (!paused) return
    await updateLanesPaused(tx, address)
    await notifyHalt(tx, ctx, address, 'webhook_paused')
  })
}

/** Sends on what waited, in order: after a pause, or to a new address. */
export async function resumeAddress(tx: Tx, ctx: Context, address: Address) {
  if (address.endpoint_id === 0) await updateResumed(tx, address.bot_id)
  else await updateEndpointResumed(tx, address.endpoint_id)
  await updateLanesDue(tx, address, now(ctx.clock))
  ringAfterCommit(tx, 'deliveries')
}

/** The receiver said that the address is gone for good: nothing is sent there, unless it was changed meanwhile. */
export function disableAddress(ctx: Context, address: Address, url: string) {
  const { bot_id, endpoint_id } = address
  return transaction(ctx, async (tx) => {
    const gone =
      endpoint_id === 0 ? await deleteUrl(tx, bot_id, url) : await updateEndpointGone(tx, endpoint_id, url)
    if (!gone) return
    await cancelWaitingAt(tx, address)
    await notifyHalt(tx, ctx, address, 'webhook_disabled')
  })
}

/** What waits goes to a new address at once, or is dropped where there is none any more. */
export const botReactions: BotReactions = {
  async urlChanged(tx, ctx, botId, url) {
    const address = { bot_id: botId, endpoint_id: 0 }
    await resumeAddress(tx, ctx, address)
    if (url === '') await cancelWaitingAt(tx, address)
  },
  deleted: cancelWaiting,
}
