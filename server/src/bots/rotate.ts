import { botUpdated } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { found, Problem } from '../platform/problem.js'
import { emitBotEvent } from './emit.js'
import { type LoadedBot, loadManaged } from './load.js'
import { lockBot, updateBotRow } from './queries.js'
import { newInboundKey, newSigningSecret } from './secrets.js'

function rotate(
  ctx: Context,
  actor: Actor,
  botId: number,
  make: (bot: LoadedBot) => { signing_secret: string } | { inbound_key: string },
): Promise<LoadedBot> {
  return transaction(ctx, async (tx) => {
    found(await lockBot(tx, botId), { key: 'id', value: botId })
    const change = make(await loadManaged(tx, actor, botId, 'rotate'))
    await updateBotRow(tx, botId, change)
    await emitBotEvent(tx, ctx, actor, botUpdated, botId)
    return loadManaged(tx, actor, botId, 'rotate')
  })
}

/** The next attempt is signed with the new secret already. */
export function rotateSigningSecret(ctx: Context, actor: Actor, botId: number) {
  return rotate(ctx, actor, botId, () => ({ signing_secret: newSigningSecret() }))
}

/** The old address names nothing from then on. */
export function rotateInboundUrl(ctx: Context, actor: Actor, botId: number) {
  return rotate(ctx, actor, botId, ({ row }) => {
    if (row.inbound_key === null) throw new Problem(422, 'not_applicable', { key: 'kind' })
    return { inbound_key: newInboundKey() }
  })
}
