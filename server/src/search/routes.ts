import * as api from '@parley/contract'
import { ReadyJson, type Routes, route } from '../platform/http/route.js'
import { lookUpRoutes } from './look-up-routes.js'
import { searchMessages } from './search-messages.js'
import { searchChats, searchUsers } from './search-names.js'

export function searchRoutes(routes: Routes) {
  route(routes, api.searchMessages, async ({ ctx, actor, query }) => {
    return new ReadyJson(await searchMessages(ctx, actor, query))
  })
  lookUpRoutes(routes)
  route(routes, api.searchUsers, ({ ctx, actor, query }) => searchUsers(ctx, actor, query))
  route(routes, api.searchChats, ({ ctx, actor, query }) => searchChats(ctx, actor, query))
}
