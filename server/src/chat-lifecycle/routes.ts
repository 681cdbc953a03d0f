import * as api from '@parley/contract'
import { noteIgnored } from '../platform/http/ignored.js'
import { type Api, route } from '../platform/http/route.js'
import { archiveChat, unarchiveChat } from './archive.js'
import { openChat } from './create.js'
import { changeChat } from './update.js'

export function chatLifecycleRoutes(bound: Api) {
  route(bound, api.createChat, async ({ ctx, actor, body, reply }) => {
    const { chat, ignored } = await openChat(ctx, actor, body.chat)
    for (const name of ignored) noteIgnored(reply, name)
    return { data: chat }
  })
  route(bound, api.updateChat, async ({ ctx, actor, params, body }) => ({
    data: await changeChat(ctx, actor, params.id, body.chat),
  }))
  route(bound, api.archiveChat, ({ ctx, actor, params }) => archiveChat(ctx, actor, params.id))
  route(bound, api.unarchiveChat, ({ ctx, actor, params }) => unarchiveChat(ctx, actor, params.id))
}
