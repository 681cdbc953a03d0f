import * as api from '@parley/contract'
import { findChatFor } from '../chats/queries.js'
import { mayRead } from '../chats/rules.js'
import { TIME } from '../platform/http/fault-text.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'
import { startThread, startThreadUnder } from './actions.js'
import { follow } from './follow.js'
import { presentThread } from './present.js'
import { findThread, listThreadsFor } from './queries.js'

function timeOf(key: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (!time) throw new Problem(400, 'invalid', { key, value: text, message: TIME })
  return time
}

export function threadRoutes(routes: Routes) {
  route(routes, api.listThreads, async ({ ctx, actor, query }) => {
    const filter = {
      after: timeOf('last_message_at_after', query.last_message_at_after),
      before: timeOf('last_message_at_before', query.last_message_at_before),
    }
    const settings = { list: api.listThreads.id, secret: ctx.secret, limit: 50, sort: 'updated_at' }
    const paging = readPaging(query, settings)
    const { data, meta } = await loadPage(
      paging,
      (part) => listThreadsFor(ctx.db, actor, filter, part),
      ({ id, updated_at }) => ({ id, value: updated_at }),
    )
    return { data: data.map(presentThread), meta }
  })

  route(routes, api.getThread, async ({ ctx, actor, params }) => {
    const thread = found(await findThread(ctx.db, params.id))
    const chat = found(await findChatFor(ctx.db, actor, thread.chat_id))
    ensure(mayRead(actor, chat), 'read', { type: 'TopicThread', id: thread.id })
    return { data: presentThread(thread) }
  })

  route(routes, api.createStandaloneThread, async ({ ctx, actor }) => ({
    data: await startThread(ctx, actor),
  }))
  route(routes, api.createThread, async ({ ctx, actor, params }) => ({
    data: await startThreadUnder(ctx, actor, params.id),
  }))
  route(routes, api.followThread, ({ ctx, actor, params, body }) =>
    follow(ctx, actor, params.id, body.following),
  )
}
