import { listTimeline, type QueryOf } from '@parley/contract'
import { findChatFor } from '../chats/queries.js'
import { mayRead } from '../chats/rules.js'
import { type Api, route } from '../platform/http/route.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'
import { loadPeopleIn, loadTimeline } from './load.js'
import { findPage, type Place } from './page.js'

const PAGE = 50
const PLACES = ['around', 'before', 'after', 'at', 'first_unread'] as const

function placeOf(query: QueryOf<typeof listTimeline>): Place {
  const given = PLACES.filter((name) => query[name] !== undefined && query[name] !== false)
  if (given.length > 1) throw new Problem(400, 'invalid', { key: given[1] as string })
  const { around, before, after, at } = query
  if (around !== undefined) return { kind: 'around', message_id: around }
  if (before !== undefined) return { kind: 'before', message_id: before }
  if (after !== undefined) return { kind: 'after', message_id: after }
  if (at !== undefined) {
    const time = parseTime(at)
    if (!time) throw new Problem(400, 'invalid', { key: 'at', value: at })
    return { kind: 'at', time }
  }
  return query.first_unread ? { kind: 'first_unread' } : { kind: 'newest' }
}

export function timelineRoutes(api: Api) {
  route(api, listTimeline, async ({ ctx, actor, params, query }) => {
    const place = placeOf(query)
    const chat = found(await findChatFor(ctx.db, actor, params.id), { key: 'id', value: params.id })
    ensure(mayRead(actor, chat), 'read', { type: 'Chat', id: chat.id })
    const { ids, ...meta } = await findPage(ctx.db, chat, place, query.limit ?? PAGE)
    const data = await loadTimeline(ctx, actor.user_id, ids)
    return { data, people: await loadPeopleIn(ctx, data), meta }
  })
}
