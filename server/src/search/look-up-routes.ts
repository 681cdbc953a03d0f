import { listChatCommands, listPeople, lookUpChats, lookUpGroupTags } from '@parley/contract'
import { type Api, route } from '../platform/http/route.js'
import { commandsIn, lookUpChatsFor, lookUpPeople, lookUpTagsFor } from './look-up.js'

export function lookUpRoutes(api: Api) {
  route(api, listPeople, async ({ ctx, actor, query }) => ({ data: await lookUpPeople(ctx, actor, query) }))
  route(api, lookUpChats, async ({ ctx, actor, query }) => ({
    data: await lookUpChatsFor(ctx, actor, query),
  }))
  route(api, lookUpGroupTags, async ({ ctx, actor, query }) => ({
    data: await lookUpTagsFor(ctx, actor, query),
  }))
  route(api, listChatCommands, ({ ctx, actor, params }) => commandsIn(ctx, actor, params.id))
}
