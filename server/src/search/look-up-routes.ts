import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { commandsIn, lookUpChats, lookUpGroupTags, lookUpPeople } from './look-up.js'

export function lookUpRoutes(routes: Routes) {
  route(routes, api.listPeople, async ({ ctx, actor, query }) => ({
    data: await lookUpPeople(ctx, actor, query),
  }))
  route(routes, api.lookUpChats, async ({ ctx, actor, query }) => ({
    data: await lookUpChats(ctx, actor, query),
  }))
  route(routes, api.lookUpGroupTags, async ({ ctx, actor, query }) => ({
    data: await lookUpGroupTags(ctx, actor, query),
  }))
  route(routes, api.listChatCommands, ({ ctx, actor, params }) => commandsIn(ctx, actor, params.id))
}
