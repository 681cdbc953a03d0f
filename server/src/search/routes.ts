import * as contract from '@parley/contract'
import { type Api, ReadyJson, route } from '../platform/http/route.js'
import { lookUpRoutes } from './look-up-routes.js'
import { searchMessages } from './search-messages.js'
import { searchChats, searchUsers } from './search-names.js'

export function searchRoutes(api: Api) {
  route(api, contract.searchMessages, async ({ ctx, actor, query }) => {
    return new ReadyJson(await searchMessages(ctx, actor, query))
  })
  lookUpRoutes(api)
  route(api, contract.searchUsers, ({ ctx, actor, query }) => searchUsers(ctx, actor, query))
  route(api, contract.searchChats, ({ ctx, actor, query }) => searchChats(ctx, actor, query))
}
