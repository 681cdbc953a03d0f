import {
  createCustomProperty,
  deleteCustomProperty,
  listCustomProperties,
  updateCustomProperty,
} from '@parley/contract'
import { type Api, route } from '../platform/http/route.js'
import { defineProperty, deleteProperty, renameProperty } from './actions.js'
import { listDefinitions } from './queries.js'

export function customPropertyRoutes(api: Api) {
  route(api, listCustomProperties, async ({ ctx, query }) => ({
    data: await listDefinitions(ctx.db, query.entity_type),
  }))
  route(api, createCustomProperty, async ({ ctx, actor, body }) => ({
    data: await defineProperty(ctx, actor, body),
  }))
  route(api, updateCustomProperty, async ({ ctx, actor, params, body }) => ({
    data: await renameProperty(ctx, actor, params.id, body.name),
  }))
  route(api, deleteCustomProperty, ({ ctx, actor, params }) => deleteProperty(ctx, actor, params.id))
}
