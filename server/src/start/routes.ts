import * as api from '@parley/contract'
import { createOwnCards } from '../chats/own-cards.js'
import { ReadyJson, type Routes, route } from '../platform/http/route.js'
import { readVersion } from '../platform/version.js'
import { listOwnChatCards } from './list-chats.js'
import { readStart } from './read.js'

export function startRoutes(routes: Routes) {
  const version = readVersion()
  const cards = createOwnCards(routes.ctx)
  route(
    routes,
    api.getStart,
    async ({ ctx, actor }) => new ReadyJson(await readStart(ctx, cards, actor, version)),
  )
  route(
    routes,
    api.listOwnChatCards,
    async ({ ctx, actor, query }) => new ReadyJson(await listOwnChatCards(ctx, cards, actor, query)),
  )
}
