import { createMessage, getMessage } from '@parley/contract'
import { mayRead } from '../chats/rules.js'
import { type Api, ReadyJson, route } from '../platform/http/route.js'
import { ensure, found } from '../platform/problem.js'
import { readMessagesJson } from './message-sql.js'
import { postMessage } from './post.js'
import { findMessageFor } from './queries.js'

export function messageRoutes(api: Api) {
  route(api, createMessage, async ({ ctx, actor, body }) => ({
    data: await postMessage(
      ctx,
      actor,
      { ...body.message, link_preview: body.link_preview ?? false },
      { counted: true },
    ),
  }))
  route(api, getMessage, async ({ ctx, actor, params }) => {
    const { chat } = found(await findMessageFor(ctx.db, actor, params.id))
    ensure(mayRead(actor, chat), 'read', { type: 'Message', id: params.id })
    const text = (await readMessagesJson(ctx, actor.user_id, [params.id])).get(params.id)
    return new ReadyJson(`{"data":${text}}`)
  })
}
