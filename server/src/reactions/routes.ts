import * as api from '@parley/contract'
import { mayRead } from '../chats/rules.js'
import { findMessageFor } from '../messages/queries.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { addReaction, removeReaction } from './actions.js'
import { emojiOf, loadEmoji } from './emoji.js'
import { presentReaction } from './present.js'
import { listReactionRows } from './queries.js'

export function reactionRoutes(routes: Routes) {
  const known = loadEmoji()

  route(routes, api.listReactions, async ({ ctx, actor, params, query }) => {
    const { chat } = found(await findMessageFor(ctx.db, actor, params.id))
    ensure(mayRead(actor, chat), 'read', { type: 'Message', id: params.id })
    const settings = {
      list: api.listReactions.id,
      secret: ctx.secret,
      limit: 50,
      order: 'asc',
      per: 50,
    } as const
    const { code, name } = query
    // What is no emoji, nobody has reacted with.
    const emoji = code === undefined ? undefined : (emojiOf(known, code, name)?.key ?? '')
    const paging = readPaging(query, settings)
    const { data, meta } = await loadPage(
      paging,
      (part) => listReactionRows(ctx.db, params.id, emoji, part),
      ({ id }) => ({ id }),
    )
    return { data: data.map(presentReaction), meta }
  })

  route(routes, api.addReaction, async ({ ctx, actor, params, body }) => {
    const emoji = emojiOf(known, body.code, body.name)
    if (!emoji)
      throw new Problem(422, 'invalid', {
        key: 'code',
        value: body.code,
        message: 'must be one emoji, or the name of one in name',
      })
    return addReaction(ctx, actor, params.id, body.code, emoji)
  })

  route(routes, api.removeReaction, async ({ ctx, actor, params, query }) => {
    const emoji = emojiOf(known, query.code, query.name)
    if (!emoji)
      throw new Problem(404, 'not_found', {
        key: 'code',
        value: query.code,
        message: 'is not an emoji of a reaction',
      })
    await removeReaction(ctx, actor, params.id, emoji.key)
  })
}
