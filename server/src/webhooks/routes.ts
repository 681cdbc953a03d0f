import {
  deleteWebhookEvent,
  listDeliveries,
  listWebhookEvents,
  postInboundWebhook,
  redeliver,
  redeliverRange,
  resumeWebhook,
} from '@parley/contract'
import { loadEditable } from '../bots/load.js'
import { pageResult, readPaging } from '../platform/http/page.js'
import { type Api, route } from '../platform/http/route.js'
import { deleteQueued, listQueued, presentQueued } from './event-queue.js'
import { createInbound } from './inbound/receive.js'
import { attemptsOf, listDeliveryRows, presentDelivery, readFilter } from './log.js'
import { resumeUrl } from './outgoing.js'
import { redeliverMany, redeliverOne } from './redeliver.js'

export function webhookRoutes(api: Api) {
  route(api, listWebhookEvents, async ({ ctx, actor, query }) => {
    const paging = readPaging(query, { list: listWebhookEvents.id, secret: ctx.secret, limit: 50 })
    const rows = await listQueued(ctx.db, actor.user_id, paging)
    const { data, meta } = pageResult(rows, paging, ({ sequence }) => ({ id: sequence }))
    return { data: data.map(presentQueued), meta }
  })
  route(api, deleteWebhookEvent, ({ ctx, actor, params }) => deleteQueued(ctx, actor, params.id))

  route(api, listDeliveries, async ({ ctx, actor, params, query }) => {
    const { row: bot } = await loadEditable(ctx.db, actor, params.id, 'list_deliveries')
    const paging = readPaging(query, { list: listDeliveries.id, secret: ctx.secret, limit: 50 })
    const rows = await listDeliveryRows(ctx.db, params.id, readFilter(query), paging)
    const { data, meta } = pageResult(rows, paging, (row) => ({ value: row.created_at, id: row.id }))
    const attempts = await attemptsOf(
      ctx.db,
      data.map(({ id }) => id),
    )
    const paused = bot.paused_at !== null
    return { data: data.map((row) => presentDelivery(row, attempts.get(row.id) ?? [], paused)), meta }
  })
  route(api, redeliver, ({ ctx, actor, params }) => redeliverOne(ctx, actor, params))
  route(api, redeliverRange, ({ ctx, actor, params, body }) => redeliverMany(ctx, actor, params.id, body))

  route(api, resumeWebhook, ({ ctx, actor, params }) => resumeUrl(ctx, actor, params.id))

  const inbound = createInbound()
  api.ending.resources.push(() => inbound.close())
  api.ctx.resets.add(() => inbound.forget())
  route(api, postInboundWebhook, (call) => inbound.receive(call), { rawBody: true })
}
