import * as api from '@parley/contract'
import type { Actor } from '../../platform/actor.js'
import type { Context } from '../../platform/context.js'
import { loadPage, type PageQuery, readPaging } from '../../platform/http/page.js'
import { type Routes, route } from '../../platform/http/route.js'
import { loadBot, type Whose } from '../endpoints/load.js'
import { cancelReplay, createReplay, loadReplay, planReplay, presentReplay } from './actions.js'
import { listReplayRows } from './queries.js'

async function listPage(ctx: Context, actor: Actor, whose: Whose, list: string, query: PageQuery) {
  await loadBot(ctx.db, actor, whose, 'show')
  const paging = readPaging(query, { list, secret: ctx.secret, limit: 50 })
  const { data, meta } = await loadPage(
    paging,
    (part) => listReplayRows(ctx.db, whose.bot_id, part),
    ({ id }) => ({ id }),
  )
  return { data: data.map(presentReplay), meta }
}

async function showOne(ctx: Context, actor: Actor, whose: Whose, replayId: number) {
  await loadBot(ctx.db, actor, whose, 'show')
  return { data: presentReplay(await loadReplay(ctx.db, whose.bot_id, replayId)) }
}

export function replayRoutes(routes: Routes) {
  const of = (bot_id: number): Whose => ({ bot_id, own: false })
  const self = ({ user_id }: Actor): Whose => ({ bot_id: user_id, own: true })
  route(routes, api.createReplay, async ({ ctx, actor, params, body }) => ({
    data: await createReplay(ctx, actor, of(params.id), body),
  }))
  route(routes, api.planReplay, async ({ ctx, actor, params, body }) => ({
    data: await planReplay(ctx, actor, of(params.id), body),
  }))
  route(routes, api.listReplays, ({ ctx, actor, params, query }) =>
    listPage(ctx, actor, of(params.id), api.listReplays.id, query),
  )
  route(routes, api.getReplay, ({ ctx, actor, params }) =>
    showOne(ctx, actor, of(params.id), params.replay_id),
  )
  route(routes, api.cancelReplay, ({ ctx, actor, params }) =>
    cancelReplay(ctx, actor, of(params.id), params.replay_id),
  )

  route(routes, api.createOwnReplay, async ({ ctx, actor, body }) => ({
    data: await createReplay(ctx, actor, self(actor), body),
  }))
  route(routes, api.planOwnReplay, async ({ ctx, actor, body }) => ({
    data: await planReplay(ctx, actor, self(actor), body),
  }))
  route(routes, api.listOwnReplays, ({ ctx, actor, query }) =>
    listPage(ctx, actor, self(actor), api.listOwnReplays.id, query),
  )
  route(routes, api.getOwnReplay, ({ ctx, actor, params }) =>
    showOne(ctx, actor, self(actor), params.replay_id),
  )
  route(routes, api.cancelOwnReplay, ({ ctx, actor, params }) =>
    cancelReplay(ctx, actor, self(actor), params.replay_id),
  )
}
