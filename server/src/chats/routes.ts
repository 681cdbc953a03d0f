import * as api from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { TIME } from '../platform/http/fault-text.js'
import { loadPage, pageText, readPaging } from '../platform/http/page.js'
import { rawQuery } from '../platform/http/read-query.js'
import { ReadyJson, type Routes, route } from '../platform/http/route.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'
import { loadCard } from './cards.js'
import { listChatsOfCompany } from './company-list.js'
import { type ChatFilter, listChatTexts } from './list-queries.js'
import { meetPattern } from './meet.js'
import { findChatFor } from './queries.js'
import { createChatReader } from './read.js'
import { isEmployee, mayRead } from './rules.js'
import { markUnread } from './unread.js'

type ListQuery = api.QueryOf<typeof api.listChats>

function timeOf(query: ListQuery, key: 'last_message_at_after' | 'last_message_at_before') {
  const text = query[key]
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (!time) throw new Problem(400, 'invalid', { key, value: text, message: TIME })
  return time
}

function filterOf(actor: Actor, query: ListQuery): ChatFilter {
  const open = query.availability === 'public'
  const everywhere = open && isEmployee(actor)
  const after = timeOf(query, 'last_message_at_after')
  const before = timeOf(query, 'last_message_at_before')
  return {
    member_id: everywhere ? null : actor.user_id,
    public_only: open,
    archived: query.archived ?? false,
    ...(query.personal === undefined ? {} : { personal: query.personal }),
    ...(after ? { after } : {}),
    ...(before ? { before } : {}),
  }
}

async function listOf(ctx: Context, actor: Actor, query: ListQuery) {
  const filter = filterOf(actor, query)
  const { sort = 'id', order = 'desc' } = query
  const paging = readPaging(query, {
    list: api.listChats.id,
    secret: ctx.secret,
    limit: 50,
    per: 50,
    sort,
    order,
  })
  const viewer = { user_id: actor.user_id, meet: meetPattern(ctx.config) }
  const { data, meta } = await loadPage(
    paging,
    (part) => listChatTexts(ctx.db, viewer, filter, part),
    ({ id, last_message_at }) => ({
      id,
      ...(paging.position.sort === 'id' ? {} : { value: last_message_at }),
    }),
  )
  return new ReadyJson(pageText(data, meta))
}

/** Without a cursor or a limit the list may be paged by number, which is counted in a window of its own. */
function rateOf(request: FastifyRequest) {
  const query = rawQuery(request.url)
  return query.has('cursor') || query.has('limit') ? 'other' : 'chats-page'
}

export function chatRoutes(routes: Routes) {
  const chats = createChatReader(routes.ctx)
  route(routes, api.listChats, ({ ctx, actor, query }) => listOf(ctx, actor, query), { rateOf, reads: true })
  route(routes, api.listCompanyChats, ({ ctx, actor, query }) => listChatsOfCompany(ctx, actor, query))
  route(
    routes,
    api.getChat,
    async ({ ctx, actor, params }) => {
      const reader = ctx.confined ? createChatReader(ctx) : chats
      return new ReadyJson(`{"data":${await reader.read(actor, params.id)}}`)
    },
    { reads: true },
  )
  route(routes, api.getChatCard, async ({ ctx, actor, params }) => {
    const chat = found(await findChatFor(ctx.db, actor, params.id), { key: 'id', value: params.id })
    ensure(mayRead(actor, chat), 'show', { type: 'Chat', id: chat.id })
    return { data: await loadCard(ctx, actor, chat.id) }
  })
  route(routes, api.markChatUnread, ({ ctx, actor, params, body }) =>
    markUnread(ctx, actor, params.id, body.message_id),
  )
}
