import * as api from '@parley/contract'
import { mayRead } from '../chats/rules.js'
import { loadPage, pageText, readPaging } from '../platform/http/page.js'
import { ReadyJson, type Routes, route } from '../platform/http/route.js'
import { ensure, found } from '../platform/problem.js'
import { findMessageFor } from './queries.js'
import { listReaders, listUnreadTexts, UNREAD_AT_MOST } from './read-queries.js'
import { markEverythingRead, markRead } from './read-state.js'

const READERS_AT_MOST = 300

export function readRoutes(routes: Routes) {
  route(routes, api.listReadMemberIds, async ({ ctx, actor, params, query }) => {
    const { message, chat } = found(await findMessageFor(ctx.db, actor, params.id))
    ensure(mayRead(actor, chat), 'read', { type: 'Message', id: params.id })
    const paging = readPaging(query, {
      list: api.listReadMemberIds.id,
      secret: ctx.secret,
      limit: READERS_AT_MOST,
      order: 'asc',
      per: READERS_AT_MOST,
    })
    const { data, meta } = await loadPage(
      paging,
      (part) => listReaders(ctx.db, actor, message, part),
      (row) => ({ id: row.user_id }),
    )
    return { data: data.map((row) => row.user_id), meta }
  })

  route(routes, api.markChatRead, ({ ctx, actor, params, body }) =>
    markRead(ctx, actor, params.id, body.message_id),
  )

  route(routes, api.markAllRead, ({ ctx, actor }) => markEverythingRead(ctx, actor))

  route(routes, api.listUnread, async ({ ctx, actor, query }) => {
    const settings = { list: api.listUnread.id, secret: ctx.secret, limit: UNREAD_AT_MOST }
    const { data, meta } = await loadPage(
      readPaging(query, settings),
      (part) => listUnreadTexts(ctx.db, actor, part),
      (row) => ({ id: row.chat_id }),
    )
    return new ReadyJson(pageText(data, meta))
  })
}
