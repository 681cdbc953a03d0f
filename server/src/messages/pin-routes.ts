import * as api from '@parley/contract'
import { findChatFor } from '../chats/queries.js'
import { mayRead } from '../chats/rules.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { ensure, found } from '../platform/problem.js'
import { presentMessages } from './message-sql.js'
import { pinMessage, unpinMessage } from './pin.js'
import { listPinRows } from './pin-queries.js'

export function pinRoutes(routes: Routes) {
  route(routes, api.pinMessage, ({ ctx, actor, params }) => pinMessage(ctx, actor, params.id))
  route(routes, api.unpinMessage, ({ ctx, actor, params }) => unpinMessage(ctx, actor, params.id))

  route(routes, api.listPins, async ({ ctx, actor, params, query }) => {
    const chat = found(await findChatFor(ctx.db, actor, params.id))
    ensure(mayRead(actor, chat), 'read', { type: 'Chat', id: params.id })
    const paging = readPaging(query, {
      list: api.listPins.id,
      secret: ctx.secret,
      limit: 50,
      sort: 'pinned_at',
    })
    const { data, meta } = await loadPage(
      paging,
      (part) => listPinRows(ctx.db, params.id, part),
      (row) => ({ value: row.pinned_at, id: row.message_id }),
    )
    const ids = data.map((row) => row.message_id)
    return { data: await presentMessages(ctx, actor.user_id, ids), meta }
  })
}
