import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { found } from '../platform/problem.js'
import { defineProperty, deleteProperty, renameProperty } from './actions.js'
import { countValues, listDefinitions } from './queries.js'

export function customPropertyRoutes(routes: Routes) {
  route(routes, api.listCustomProperties, async ({ ctx, query }) => ({
    data: await listDefinitions(ctx.db, query.entity_type),
  }))
  route(routes, api.createCustomProperty, async ({ ctx, actor, body }) => ({
    data: await defineProperty(ctx, actor, body),
  }))
  route(routes, api.updateCustomProperty, async ({ ctx, actor, params, body }) => ({
    data: await renameProperty(ctx, actor, params.id, body.name),
  }))
  route(routes, api.previewCustomPropertyDeletion, async ({ ctx, params }) => ({
    data: found(await countValues(ctx.db, params.id), { key: 'id', value: params.id }),
  }))
  route(routes, api.deleteCustomProperty, ({ ctx, actor, params }) => deleteProperty(ctx, actor, params.id))
}
