import * as api from '@parley/contract'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { listNoticesOf } from './notice-queries.js'
import { markNoticesRead, presentNotice } from './notices.js'

export function noticeRoutes(routes: Routes) {
  route(routes, api.listNotices, async ({ ctx, actor, query }) => {
    const paging = readPaging(query, { list: api.listNotices.id, secret: ctx.secret, limit: 50 })
    const { data, meta } = await loadPage(
      paging,
      (part) => listNoticesOf(ctx.db, actor.user_id, query.state === 'unread', part),
      ({ id }) => ({ id }),
    )
    return { data: data.map(presentNotice), meta }
  })
  route(routes, api.readNotices, ({ ctx, actor, body }) =>
    markNoticesRead(ctx, actor.user_id, body.notice_id),
  )
}
