import * as api from '@parley/contract'
import { whenGone } from '../platform/http/gone.js'
import { ReadyJson, type Routes, route } from '../platform/http/route.js'
import { createKeptMatches } from './kept-matches.js'
import { lookUpRoutes } from './look-up-routes.js'
import { searchMessages } from './search-messages.js'
import { searchChats, searchUsers } from './search-names.js'

export function searchRoutes(routes: Routes) {
  const keptOf = createKeptMatches(routes.ctx)
  route(routes, api.searchMessages, async ({ ctx, actor, query, reply }) => {
    return new ReadyJson(
      await searchMessages(ctx, actor, query, { gone: whenGone(reply), kept: keptOf(ctx) }),
    )
  })
  lookUpRoutes(routes)
  route(routes, api.searchUsers, ({ ctx, actor, query, reply }) =>
    searchUsers(ctx, actor, query, whenGone(reply)),
  )
  route(routes, api.searchChats, ({ ctx, actor, query, reply }) =>
    searchChats(ctx, actor, query, whenGone(reply)),
  )
}
