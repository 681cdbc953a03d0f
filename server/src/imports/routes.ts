import * as api from '@parley/contract'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { Problem } from '../platform/problem.js'
import { orderImport, presentOrder, previewUndo, undoImport } from './order.js'
import { findOrder, listOrders } from './order-queries.js'

export function importRoutes(routes: Routes) {
  route(routes, api.orderImport, async ({ ctx, actor, body }) => ({
    data: await orderImport(ctx, actor, body.import),
  }))

  route(routes, api.listImports, async ({ ctx, query }) => {
    const paging = readPaging(query, { list: api.listImports.id, secret: ctx.secret, limit: 50 })
    const { data, meta } = await loadPage(
      paging,
      (part) => listOrders(ctx.db, part),
      ({ id }) => ({ id }),
    )
    return { data: data.map(presentOrder), meta }
  })

  route(routes, api.getImport, async ({ ctx, params }) => {
    const order = await findOrder(ctx.db, params.id)
    if (!order) throw new Problem(404, 'not_found', { key: 'id', value: params.id })
    return { data: presentOrder(order) }
  })

  route(routes, api.undoImport, async ({ ctx, actor, params }) => ({
    data: await undoImport(ctx, actor, params.id),
  }))

  route(routes, api.previewImportUndo, async ({ ctx, params }) => ({
    data: await previewUndo(ctx, params.id),
  }))
}
