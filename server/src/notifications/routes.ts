import { randomUUID } from 'node:crypto'
import * as api from '@parley/contract'
import { now } from '../platform/clock.js'
import { type Routes, route } from '../platform/http/route.js'
import { found } from '../platform/problem.js'
import { stopDigest } from './digest.js'
import { pushKeysOf } from './push-keys.js'
import { sendPush } from './send-push.js'
import { readSettings, setChatNotifications, updateSettings } from './settings.js'
import { findSubscription } from './subscription-queries.js'
import { addSubscription, loadSubscriptions, removeSubscription } from './subscriptions.js'

export function notificationRoutes(routes: Routes) {
  route(routes, api.getNotificationSettings, async ({ ctx, actor }) => ({
    data: await readSettings(ctx.db, actor.user_id),
  }))
  route(routes, api.updateNotificationSettings, async ({ ctx, actor, body }) => ({
    data: await updateSettings(ctx, actor, body.notifications),
  }))
  route(routes, api.setChatNotifications, async ({ ctx, actor, params, body }) => ({
    data: await setChatNotifications(ctx, actor, params.id, body),
  }))
  route(routes, api.stopMailDigest, ({ ctx, params }) => stopDigest(ctx, params.token))
  pushRoutes(routes)
}

function pushRoutes(routes: Routes) {
  route(routes, api.getPushKey, async ({ ctx }) => ({
    data: { public_key: pushKeysOf(ctx.secret).publicKey },
  }))
  route(routes, api.listPushSubscriptions, async ({ ctx, actor }) => ({
    data: await loadSubscriptions(ctx, actor),
  }))
  route(routes, api.addPushSubscription, async ({ ctx, actor, body }) => ({
    data: await addSubscription(ctx, actor, body.subscription),
  }))
  route(routes, api.removePushSubscription, ({ ctx, actor, params }) =>
    removeSubscription(ctx, actor, params.id),
  )
  route(routes, api.sendTestPush, async ({ ctx, actor, params }) => {
    const target = await findSubscription(ctx.db, actor.user_id, params.id, now(ctx.clock))
    const nonce = randomUUID()
    const answer = await sendPush(ctx, found(target, { key: 'id', value: params.id }), {
      type: 'test',
      nonce,
    })
    return { data: { nonce, ...answer } }
  })
}
