import { botUpdated } from '@parley/contract'
import type { Updateable } from 'kysely'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { DB } from '../platform/db/index.js'
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
  make: (bot: LoadedBot) => Updateable<DB['bots']>,
): Promise<LoadedBot> {
  return transaction(ctx, async (tx) => {
    found(await lockBot(tx, botId), { key: 'id', value: botId })
    const change = make(await loadManaged(tx, actor, botId, 'rotate'))
    await updateBotRow(tx, botId, change)
    await emitBotEvent(tx, ctx, actor, botUpdated, botId)
    return loadManaged(tx, actor, botId, 'rotate')
  })
}

const GRACE_S = 86_400

/** The next attempt is signed with the new secret already, and with the old one as well while its grace lasts. */
export function rotateSigningSecret(ctx: Context, actor: Actor, botId: number, grace_s = GRACE_S) {
  return rotate(ctx, actor, botId, ({ row }) => ({
    signing_secret: newSigningSecret(),
    old_signing_secret: grace_s > 0 ? row.signing_secret : null,
    old_secret_until: grace_s > 0 ? new Date(ctx.clock.now() + grace_s * 1000) : null,
  }))
}

/** The old address names nothing from then on. */
export function rotateInboundUrl(ctx: Context, actor: Actor, botId: number) {
  return rotate(ctx, actor, botId, ({ row }) => {
    if (row.inbound_key === null)
      throw new Problem(422, 'not_applicable', { key: 'kind', message: 'this bot has no inbound address' })
    return { inbound_key: newInboundKey() }
  })
}
