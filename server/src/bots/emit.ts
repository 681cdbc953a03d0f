import type { botCreated, botUpdated } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'
import { listEditorIds } from './queries.js'

/** Tells the people who may edit a bot what became of it, and those who could before. */
export async function emitBotEvent(
  tx: Tx,
  ctx: Context,
  actor: Pick<Actor, 'user_id'>,
  event: typeof botCreated | typeof botUpdated,
  bot_id: number,
  before: readonly number[] = [],
) {
  const user_ids = [...new Set([...before, ...(await listEditorIds(tx, bot_id))])]
  await emit(tx, ctx, actor, event, { bot_id, user_ids })
}
