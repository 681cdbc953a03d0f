import {
  createMessage,
  deleteMessage as deleteMessageOperation,
  forwardMessage as forwardMessageOperation,
  getMessage,
  listMessages,
  listPins,
  listReadMemberIds,
  listUnread,
  markAllRead,
  markChatRead,
  pinMessage as pinMessageOperation,
  unpinMessage as unpinMessageOperation,
  updateMessage,
} from '@parley/contract'
import { findChatFor } from '../chats/queries.js'
import { mayRead } from '../chats/rules.js'
import { measureIn } from '../files/measure.js'
import { isBot } from '../platform/actor.js'
import { noteIgnored } from '../platform/http/ignored.js'
import { pageResult, readPaging } from '../platform/http/page.js'
import { type Api, ReadyJson, route } from '../platform/http/route.js'
import { ensure, found } from '../platform/problem.js'
import { createFacts } from './chat-facts.js'
import { deleteMessage } from './delete.js'
import { editMessage } from './edit.js'
import { forwardMessage } from './forward.js'
import { createMessagePages } from './list-page.js'
import { presentMessages, readMessagesJson } from './message-sql.js'
import { listPinRows, pinMessage, unpinMessage } from './pin.js'
import { postMessage } from './post.js'
import { createPostBatch } from './post-batch.js'
import { findMessageFor, isInThreadUnder } from './queries.js'
import { createRateChats } from './rate-chat.js'
import {
  findCallNames,
  listReaders,
  listUnreadRows,
  markEverythingRead,
  markRead,
  presentUnread,
} from './read-state.js'

const PER_PAGE = 25
const READERS_AT_MOST = 300

export function messageRoutes(api: Api) {
  const { hot_pool } = api.ctx
  const facts = createFacts(hot_pool)
  api.ctx.resets.add(() => facts.forgetAll())
  const rateChats = createRateChats(facts)
  const batch = createPostBatch(api.ctx, hot_pool, facts)
  const pages = createMessagePages(api.ctx, hot_pool)

  route(
    api,
    createMessage,
    async ({ ctx, actor, body, request, reply }) => {
      const key = request.headers['idempotency-key']
      const client_key = typeof key === 'string' ? { client_key: key } : {}
      const input = { ...body.message, link_preview: body.link_preview ?? false, ...client_key }
      if (input.buttons && !isBot(actor)) noteIgnored(reply, 'buttons')
      const ready = ctx.tx ? null : await batch.post(actor, input)
      if (ready !== null) return new ReadyJson(ready)
      return { data: await postMessage(ctx, actor, input, { quota: hot_pool }) }
    },
    { chatOf: rateChats.ofNewMessage, complete: measureIn('message') },
  )

  route(api, listMessages, async ({ ctx, actor, query }) => {
    const { sort, order } = query
    const paging = readPaging(query, {
      list: listMessages.id,
      secret: ctx.secret,
      limit: 50,
      sort: sort ?? 'id',
      order: order ?? 'desc',
      per: PER_PAGE,
    })
    return new ReadyJson(await pages.read(actor, query.chat_id, paging))
  })

  route(api, getMessage, async ({ ctx, actor, params }) => {
    const { chat } = found(await findMessageFor(ctx.db, actor, params.id))
    // Whoever is in the thread under a message may read that message, and nothing else of the chat.
    if (!(await isInThreadUnder(ctx.db, actor, params.id)))
      ensure(mayRead(actor, chat), 'read', { type: 'Message', id: params.id })
    const text = (await readMessagesJson(ctx, actor.user_id, [params.id])).get(params.id)
    return new ReadyJson(`{"data":${text}}`)
  })

  route(
    api,
    updateMessage,
    async ({ ctx, actor, params, body, reply }) => {
      if (body.message.buttons && !isBot(actor)) noteIgnored(reply, 'buttons')
      await editMessage(ctx, actor, params.id, body.message)
      const [data] = await presentMessages(ctx, actor.user_id, [params.id])
      return { data: found(data) }
    },
    { chatOf: rateChats.ofMessage, complete: measureIn('message') },
  )

  route(api, deleteMessageOperation, ({ ctx, actor, params }) => deleteMessage(ctx, actor, params.id), {
    chatOf: rateChats.ofMessage,
  })

  route(api, forwardMessageOperation, async ({ ctx, actor, params, body }) => {
    const entity = { entity_type: body.entity_type ?? 'discussion', entity_id: body.entity_id }
    return { data: await forwardMessage(ctx, actor, params.id, entity) }
  })

  route(api, pinMessageOperation, ({ ctx, actor, params }) => pinMessage(ctx, actor, params.id))
  route(api, unpinMessageOperation, ({ ctx, actor, params }) => unpinMessage(ctx, actor, params.id))

  route(api, listPins, async ({ ctx, actor, params, query }) => {
    const chat = found(await findChatFor(ctx.db, actor, params.id))
    ensure(mayRead(actor, chat), 'read', { type: 'Chat', id: params.id })
    const paging = readPaging(query, { list: listPins.id, secret: ctx.secret, limit: 50, sort: 'pinned_at' })
    const rows = await listPinRows(ctx.db, params.id, paging)
    const { data, meta } = pageResult(rows, paging, (row) => ({ value: row.pinned_at, id: row.message_id }))
    const ids = data.map((row) => row.message_id)
    return { data: await presentMessages(ctx, actor.user_id, ids), meta }
  })

  route(api, listReadMemberIds, async ({ ctx, actor, params, query }) => {
    const { message, chat } = found(await findMessageFor(ctx.db, actor, params.id))
    ensure(mayRead(actor, chat), 'read', { type: 'Message', id: params.id })
    const paging = readPaging(query, {
      list: listReadMemberIds.id,
      secret: ctx.secret,
      limit: READERS_AT_MOST,
      order: 'asc',
      per: READERS_AT_MOST,
    })
    const rows = await listReaders(ctx.db, actor, message, paging)
    const { data, meta } = pageResult(rows, paging, (row) => ({ id: row.user_id }))
    return { data: data.map((row) => row.user_id), meta }
  })

  route(api, markChatRead, ({ ctx, actor, params, body }) => markRead(ctx, actor, params.id, body.message_id))

  route(api, markAllRead, ({ ctx, actor }) => markEverythingRead(ctx, actor))

  route(api, listUnread, async ({ ctx, actor, query }) => {
    const paging = readPaging(query, { list: listUnread.id, secret: ctx.secret, limit: READERS_AT_MOST })
    const rows = await listUnreadRows(ctx.db, actor, paging)
    const { data, meta } = pageResult(rows, paging, (row) => ({ id: row.chat_id }))
    const names = await findCallNames(ctx.db, actor.user_id)
    return { data: data.map((row) => presentUnread(row, names)), meta }
  })
}
