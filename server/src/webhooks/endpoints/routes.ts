import * as api from '@parley/contract'
import type { Actor } from '../../platform/actor.js'
import type { Context } from '../../platform/context.js'
import { loadPage, type PageQuery, readPaging } from '../../platform/http/page.js'
import { type Routes, route } from '../../platform/http/route.js'
import {
  createEndpoint,
  deleteEndpoint,
  resumeEndpoint,
  rotateEndpointSecret,
  updateEndpoint,
} from './actions.js'
import { loadBot, loadEndpoint, type Whose } from './load.js'
import { presentEndpoint } from './present.js'
import { listEndpointRows } from './queries.js'
import { testEndpoint } from './try.js'

async function listPage(ctx: Context, actor: Actor, whose: Whose, list: string, query: PageQuery) {
  await loadBot(ctx.db, actor, whose, 'show')
  const paging = readPaging(query, { list, secret: ctx.secret, limit: 50, order: 'asc' })
  const { data, meta } = await loadPage(
    paging,
    (part) => listEndpointRows(ctx.db, whose.bot_id, part),
    ({ id }) => ({ id }),
  )
  return { data: data.map(presentEndpoint), meta }
}

async function showOne(ctx: Context, actor: Actor, whose: Whose, endpointId: number) {
  await loadBot(ctx.db, actor, whose, 'show')
  return { data: presentEndpoint(await loadEndpoint(ctx.db, whose.bot_id, endpointId)) }
}

export function endpointRoutes(routes: Routes) {
  const of = (bot_id: number): Whose => ({ bot_id, own: false })
  route(routes, api.createEndpoint, async ({ ctx, actor, params, body }) => ({
    data: await createEndpoint(ctx, actor, of(params.id), body),
  }))
  route(routes, api.listEndpoints, ({ ctx, actor, params, query }) =>
    listPage(ctx, actor, of(params.id), api.listEndpoints.id, query),
  )
  route(routes, api.getEndpoint, ({ ctx, actor, params }) =>
    showOne(ctx, actor, of(params.id), params.endpoint_id),
  )
  route(routes, api.updateEndpoint, async ({ ctx, actor, params, body }) => ({
    data: await updateEndpoint(ctx, actor, of(params.id), params.endpoint_id, body),
  }))
  route(routes, api.deleteEndpoint, ({ ctx, actor, params }) =>
    deleteEndpoint(ctx, actor, of(params.id), params.endpoint_id),
  )
  route(routes, api.rotateEndpointSecret, async ({ ctx, actor, params, body }) => ({
    data: await rotateEndpointSecret(ctx, actor, of(params.id), params.endpoint_id, body ?? {}),
  }))
  route(routes, api.testEndpoint, async ({ ctx, actor, params }) => ({
    data: await testEndpoint(ctx, actor, of(params.id), params.endpoint_id),
  }))
  route(routes, api.resumeEndpoint, ({ ctx, actor, params }) =>
    resumeEndpoint(ctx, actor, of(params.id), params.endpoint_id),
  )
  ownEndpointRoutes(routes)
}

/** What a bot does to endpoints of its own. */
function ownEndpointRoutes(routes: Routes) {
  const self = ({ user_id }: Actor): Whose => ({ bot_id: user_id, own: true })
  route(routes, api.createOwnEndpoint, async ({ ctx, actor, body }) => ({
    data: await createEndpoint(ctx, actor, self(actor), body),
  }))
  route(routes, api.listOwnEndpoints, ({ ctx, actor, query }) =>
    listPage(ctx, actor, self(actor), api.listOwnEndpoints.id, query),
  )
  route(routes, api.getOwnEndpoint, ({ ctx, actor, params }) =>
    showOne(ctx, actor, self(actor), params.endpoint_id),
  )
  route(routes, api.updateOwnEndpoint, async ({ ctx, actor, params, body }) => ({
    data: await updateEndpoint(ctx, actor, self(actor), params.endpoint_id, body),
  }))
  route(routes, api.deleteOwnEndpoint, ({ ctx, actor, params }) =>
    deleteEndpoint(ctx, actor, self(actor), params.endpoint_id),
  )
  route(routes, api.rotateOwnEndpointSecret, async ({ ctx, actor, params, body }) => ({
    data: await rotateEndpointSecret(ctx, actor, self(actor), params.endpoint_id, body ?? {}),
  }))
  route(routes, api.testOwnEndpoint, async ({ ctx, actor, params }) => ({
    data: await testEndpoint(ctx, actor, self(actor), params.endpoint_id),
  }))
  route(routes, api.resumeOwnEndpoint, ({ ctx, actor, params }) =>
    resumeEndpoint(ctx, actor, self(actor), params.endpoint_id),
  )
}
