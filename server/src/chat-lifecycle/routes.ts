import * as api from '@parley/contract'
import { noteIgnored } from '../platform/http/ignored.js'
import { type Routes, route } from '../platform/http/route.js'
import { archiveChat, unarchiveChat } from './archive.js'
import { openChat } from './create.js'
import { updateChat } from './update.js'

export function chatLifecycleRoutes(routes: Routes) {
  route(routes, api.createChat, async ({ ctx, actor, body, reply }) => {
    const { chat, ignored } = await openChat(ctx, actor, body.chat)
    for (const name of ignored) noteIgnored(reply, name)
    return { data: chat }
  })
  route(routes, api.updateChat, async ({ ctx, actor, params, body }) => ({
    data: await updateChat(ctx, actor, params.id, body.chat),
  }))
  route(routes, api.archiveChat, ({ ctx, actor, params }) => archiveChat(ctx, actor, params.id))
  route(routes, api.unarchiveChat, ({ ctx, actor, params }) => unarchiveChat(ctx, actor, params.id))
}
