import * as api from '@parley/contract'
import { findChatFor } from '../chats/queries.js'
import { mayRead } from '../chats/rules.js'
import { TIME } from '../platform/http/fault-text.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { ReadyJson, type Routes, route } from '../platform/http/route.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'
import { listFilesOf } from './files.js'
import { listInboxRows, listMentionRows } from './list-queries.js'
import { createTimelines } from './page.js'
import type { Place } from './page-queries.js'
import { createMessageTexts } from './texts.js'

const PAGE = 50
const PLACES = ['around', 'before', 'after', 'at', 'first_unread'] as const

function placeOf(query: api.QueryOf<typeof api.listTimeline>): Place {
  const given = PLACES.filter((name) => query[name] !== undefined && query[name] !== false)
  if (given.length > 1)
    throw new Problem(400, 'invalid', {
      key: given[1] as string,
      message: `at most one of ${PLACES.join(', ')}`,
    })
  const { around, before, after, at } = query
  if (around !== undefined) return { kind: 'around', message_id: around }
  if (before !== undefined) return { kind: 'before', message_id: before }
  if (after !== undefined) return { kind: 'after', message_id: after }
  if (at !== undefined) {
    const time = parseTime(at)
    if (!time) throw new Problem(400, 'invalid', { key: 'at', value: at, message: TIME })
    return { kind: 'at', time }
  }
  return query.first_unread ? { kind: 'first_unread' } : { kind: 'newest' }
}

export function timelineRoutes(routes: Routes) {
  const timelines = createTimelines(createMessageTexts(routes.ctx))

  route(
    routes,
    api.listTimeline,
    async ({ ctx, actor, params, query }) => {
      const page = await timelines.readPage(ctx, actor, params.id, placeOf(query), query.limit ?? PAGE)
      return new ReadyJson(page)
    },
    { reads: true },
  )

  route(routes, api.listChatFiles, async ({ ctx, actor, params, query }) => {
    const chat = found(await findChatFor(ctx.db, actor, params.id), { key: 'id', value: params.id })
    ensure(mayRead(actor, chat), 'read', { type: 'Chat', id: chat.id })
    return listFilesOf(ctx, chat, query)
  })

  route(routes, api.listMentions, async ({ ctx, actor, query }) => {
    const paging = readPaging(query, { list: api.listMentions.id, secret: ctx.secret, limit: PAGE })
    const page = await loadPage(
      paging,
      (part) => listMentionRows(ctx.db, actor, part),
      ({ message_id }) => ({ id: message_id }),
    )
    const ids = page.data.map(({ message_id }) => message_id)
    const { messages, people } = await timelines.load(ctx, actor, ids)
    const data = messages.map((message) => ({ chat_id: message.chat_id, message }))
    return { data, people, meta: page.meta }
  })

  route(routes, api.listThreadInbox, async ({ ctx, actor, query }) => {
    const settings = { list: api.listThreadInbox.id, secret: ctx.secret, limit: PAGE, sort: 'updated_at' }
    const paging = readPaging(query, settings)
    const page = await loadPage(
      paging,
      (part) => listInboxRows(ctx.db, actor, part),
      ({ id, updated_at }) => ({ id, value: updated_at }),
    )
    const ids = page.data.flatMap(({ message_id, reply_ids }) => [message_id ?? [], reply_ids ?? []].flat())
    const { messages, people } = await timelines.load(ctx, actor, ids)
    const byId = new Map(messages.map((message) => [message.id, message]))
    const data = page.data.map(({ thread, message_id, reply_ids }) => ({
      thread,
      parent: (message_id !== null && byId.get(message_id)) || null,
      last_replies: (reply_ids ?? []).flatMap((id) => byId.get(id) ?? []),
    }))
    return { data, people, meta: page.meta }
  })
}
