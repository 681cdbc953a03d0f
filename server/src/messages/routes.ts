import * as api from '@parley/contract'
import { mayRead } from '../chats/rules.js'
import { measureIn } from '../files/measure.js'
import { noteSizes } from '../files/note-sizes.js'
import { isBot } from '../platform/actor.js'
import { noteIgnored } from '../platform/http/ignored.js'
import { readPaging } from '../platform/http/page.js'
import { type Call, ReadyJson, type Routes, route } from '../platform/http/route.js'
import { ensure, found } from '../platform/problem.js'
import { createFacts, type Facts } from './chat-facts.js'
import { deleteMessage } from './delete.js'
import { updateMessage } from './edit.js'
import { forwardMessage } from './forward.js'
import { createMessagePages } from './list-page.js'
import { presentMessages, readMessagesJson } from './message-sql.js'
import { type NewMessage, postMessage } from './post.js'
import { createPostBatch } from './post-batch.js'
import { findMessageFor, isInThreadUnder } from './queries.js'
import { createRateChats } from './rate-chat.js'

const PER_PAGE = 25

type RateChats = ReturnType<typeof createRateChats>

function inputOf({ actor, body, request, reply }: Call<typeof api.createMessage>): NewMessage {
  if (body.message.buttons && !isBot(actor)) noteIgnored(reply, 'buttons')
  const key = request.headers['idempotency-key']
  const client_key = typeof key === 'string' ? { client_key: key } : {}
  return { ...body.message, link_preview: body.link_preview ?? false, ...client_key }
}

function sendRoutes(routes: Routes, facts: Facts, rateChats: RateChats) {
  const { hot_pool } = routes.ctx
  const batch = createPostBatch(routes.ctx, hot_pool, facts)

  route(
    routes,
    api.createMessage,
    async (call) => {
      const { ctx, actor, reply } = call
      const input = inputOf(call)
      const ready = ctx.tx ? null : await batch.post(actor, input)
      if (ready !== null) return new ReadyJson(ready)
      const data = await postMessage(ctx, actor, input, { quota: ctx.hot_pool })
      noteSizes(reply, input.files, data.files)
      return { data }
    },
    {
      chatOf: rateChats.ofNewMessage,
      complete: measureIn('message'),
      keyedWay: {
        write: (call, key) => batch.post(call.actor, inputOf(call), key),
        repeat: (call, written) => batch.repeat(call.actor, inputOf(call), written),
      },
    },
  )
}

function listRoutes(routes: Routes) {
  const pages = createMessagePages(routes.ctx, routes.ctx.hot_pool)

  route(
    routes,
    api.listMessages,
    async ({ ctx, actor, query }) => {
      const { sort, order } = query
      const paging = readPaging(query, {
        list: api.listMessages.id,
        secret: ctx.secret,
        limit: 50,
        sort: sort ?? 'id',
        order: order ?? 'desc',
        per: PER_PAGE,
      })
      const reader = ctx.confined ? createMessagePages(ctx, ctx.hot_pool) : pages
      return new ReadyJson(await reader.read(actor, query.chat_id, paging))
    },
    { reads: true },
  )

  route(routes, api.getMessage, async ({ ctx, actor, params }) => {
    const { chat } = found(await findMessageFor(ctx.db, actor, params.id))
    // Members of the thread under a message may read that message, and nothing else of the chat.
    const verdict = mayRead(actor, chat)
    if (!verdict.allowed && !(await isInThreadUnder(ctx.db, actor, params.id)))
      ensure(verdict, 'read', { type: 'Message', id: params.id })
    const text = (await readMessagesJson(ctx, actor.user_id, [params.id])).get(params.id)
    return new ReadyJson(`{"data":${text}}`)
  })
}

function changeRoutes(routes: Routes, rateChats: RateChats) {
  route(
    routes,
    api.updateMessage,
    async ({ ctx, actor, params, body, reply }) => {
      if (body.message.buttons && !isBot(actor)) noteIgnored(reply, 'buttons')
      await updateMessage(ctx, actor, params.id, body.message)
      const [data] = await presentMessages(ctx, actor.user_id, [params.id])
      noteSizes(reply, body.message.files, data?.files ?? [])
      return { data: found(data) }
    },
    { chatOf: rateChats.ofMessage, complete: measureIn('message') },
  )

  route(routes, api.deleteMessage, ({ ctx, actor, params }) => deleteMessage(ctx, actor, params.id), {
    chatOf: rateChats.ofMessage,
  })

  route(routes, api.forwardMessage, async ({ ctx, actor, params, body }) => {
    const entity = { entity_type: body.entity_type ?? 'discussion', entity_id: body.entity_id }
    return { data: await forwardMessage(ctx, actor, params.id, entity) }
  })
}

export function messageRoutes(routes: Routes) {
  const facts = createFacts(routes.ctx.hot_pool)
  routes.ctx.resets.addKept(() => facts.forgetAll())
  const rateChats = createRateChats(facts)
  sendRoutes(routes, facts, rateChats)
  listRoutes(routes)
  changeRoutes(routes, rateChats)
}
