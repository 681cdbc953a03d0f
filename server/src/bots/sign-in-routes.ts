import * as api from '@parley/contract'
import type { OAuthClient } from '../oauth/client-queries.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { type Routes, route } from '../platform/http/route.js'
import { found, Problem } from '../platform/problem.js'
import { mediaTypeOf } from '../platform/storage/media-type.js'
import { HOUR_MS } from '../platform/time.js'
import { auditOf } from './audit.js'
import { emitBotEvent } from './emit.js'
import { loadManaged } from './load.js'
import { presentBot } from './present.js'
import { findPromo, lockBot, writeClient } from './queries.js'
import { withNewSecret } from './sign-in.js'

const LINK_MS = HOUR_MS

/** The old secret is good for nothing at once; what employees granted stays. */
function rotateClientSecretOf(ctx: Context, actor: Actor, botId: number) {
  return transaction(ctx, async (tx) => {
    found(await lockBot(tx, botId), { key: 'id', value: botId })
    const { row } = await loadManaged(tx, actor, botId, 'rotate_client_secret')
    const before = row.oauth_client as OAuthClient | null
    if (!before?.enabled || !before.confidential)
      throw new Problem(400, 'not_applicable', {
        key: 'oauth_client',
        message: 'only an enabled confidential client has a secret',
      })
    const { client, client_secret } = withNewSecret(before)
    await writeClient(tx, botId, client)
    const details = { client_id: client.client_id }
    await record(tx, ctx, actor, auditOf(actor, botId, 'bot_oauth_client_secret_rotated', details))
    await emitBotEvent(tx, ctx, actor, api.botUpdated, botId)
    const after = await loadManaged(tx, actor, botId, 'rotate_client_secret')
    return { ...presentBot(ctx, after.row, after.access), client_secret }
  })
}

async function imageUrl(ctx: Context, botId: number, position: number): Promise<string> {
  const promo = await findPromo(ctx.db, botId)
  const key = found(promo?.promo_images[position], { key: 'position', value: position })
  const filename = key.split('/').at(-1) as string
  return ctx.storage.signedUrl(key, {
    expires_at: new Date(ctx.clock.now() + LINK_MS),
    filename,
    content_type: mediaTypeOf(filename),
    disposition: 'inline',
  })
}

export function signInRoutes(routes: Routes) {
  route(routes, api.rotateBotClientSecret, async ({ ctx, actor, params }) => ({
    data: await rotateClientSecretOf(ctx, actor, params.id),
  }))
  route(routes, api.getPromoImage, async ({ ctx, params, reply }) => {
    await reply.redirect(await imageUrl(ctx, params.id, params.position), 302)
  })
}
