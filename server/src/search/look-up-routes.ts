import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { commandsIn, lookUpChats, lookUpGroupTags, lookUpPeople, rosterOf } from './look-up.js'

export function lookUpRoutes(routes: Routes) {
  route(routes, api.listPeople, ({ ctx, actor, query }) => lookUpPeople(ctx, actor, query))
  route(routes, api.listRoster, ({ ctx, actor, params, query }) => rosterOf(ctx, actor, params.id, query))
  route(routes, api.lookUpChats, ({ ctx, actor, query }) => lookUpChats(ctx, actor, query))
  route(routes, api.lookUpGroupTags, async ({ ctx, actor, query }) => ({
    data: await lookUpGroupTags(ctx, actor, query),
  }))
  route(routes, api.listChatCommands, ({ ctx, actor, params }) => commandsIn(ctx, actor, params.id))
}
