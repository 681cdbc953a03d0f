import * as api from '@parley/contract'
import { loadEditable } from '../bots/load.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { endpointRoutes } from './endpoints/routes.js'
import { deleteQueued, presentQueued } from './event-queue.js'
import { createInbound } from './inbound/receive.js'
import { presentDelivery, readFilter } from './log.js'
import { attemptsOf, listDeliveryRows } from './log-queries.js'
import { resumeUrl } from './outgoing.js'
import { listQueued } from './queue-queries.js'
import { redeliverMany, redeliverOne } from './redeliver.js'
import { replayRoutes } from './replays/routes.js'

export function webhookRoutes(routes: Routes) {
  route(routes, api.listWebhookEvents, async ({ ctx, actor, query }) => {
    const paging = readPaging(query, { list: api.listWebhookEvents.id, secret: ctx.secret, limit: 50 })
    const { data, meta } = await loadPage(
      paging,
      (part) => listQueued(ctx.db, actor.user_id, part),
      ({ sequence }) => ({ id: sequence }),
    )
    return { data: data.map(presentQueued), meta }
  })
  route(routes, api.deleteWebhookEvent, ({ ctx, actor, params }) => deleteQueued(ctx, actor, params.id))

  route(routes, api.listDeliveries, async ({ ctx, actor, params, query }) => {
    await loadEditable(ctx.db, actor, params.id, 'list_deliveries')
    const paging = readPaging(query, { list: api.listDeliveries.id, secret: ctx.secret, limit: 50 })
    const { data, meta } = await loadPage(
      paging,
      (part) => listDeliveryRows(ctx.db, params.id, readFilter(query), part),
      (row) => ({ value: row.created_at, id: row.id }),
    )
    const attempts = await attemptsOf(
      ctx.db,
      data.map(({ id }) => id),
    )
    return { data: data.map((row) => presentDelivery(row, attempts.get(row.id) ?? [])), meta }
  })
  route(routes, api.redeliver, ({ ctx, actor, params }) => redeliverOne(ctx, actor, params))
  route(routes, api.redeliverRange, ({ ctx, actor, params, body }) =>
    redeliverMany(ctx, actor, params.id, body),
  )

  route(routes, api.resumeWebhook, ({ ctx, actor, params }) => resumeUrl(ctx, actor, params.id))

  endpointRoutes(routes)
  replayRoutes(routes)

  const inbound = createInbound()
  routes.ending.resources.push(() => inbound.close())
  routes.ctx.resets.add(() => inbound.forget())
  route(routes, api.postInboundWebhook, (call) => inbound.receive(call), { rawBody: true })
  route(routes, api.tryTemplate, async ({ ctx, actor, params, body }) => ({
    data: await inbound.tryOut(ctx, actor, params.id, body),
  }))
}
