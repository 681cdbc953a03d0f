import * as api from '@parley/contract'
import { listChatPlaces } from '../chats/list-queries.js'
import { meetPattern } from '../chats/meet.js'
import type { OwnCards } from '../chats/own-cards.js'
import { findOwnChats } from '../chats/own-chat-queries.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { cursorAfter, loadPage, type PageQuery, type Place, readPaging } from '../platform/http/page.js'
import { peopleOf } from './people.js'

const pagingOf = ({ secret }: Pick<Context, 'secret'>, query: PageQuery) =>
  readPaging(query, { list: api.listOwnChatCards.id, secret, limit: 100, sort: 'last_message_at' })

/** The cursor of the chats after this one. */
export const chatsAfter = (ctx: Pick<Context, 'secret'>, place: Place) =>
  cursorAfter(pagingOf(ctx, {}), place)

/**
 * A page of own chats as JSON. First the list alone is read, so that cards are made of this page and not of all chats that
 * might be on it.
 */
export async function listOwnChatCards(
  ctx: Context,
  own: OwnCards,
  actor: Actor,
  query: PageQuery,
): Promise<string> {
  const { user_id } = actor
  const { data, meta } = await loadPage(
    pagingOf(ctx, query),
    (paging) => listChatPlaces(ctx.db, user_id, paging),
    ({ id, last_message_at }) => ({ id, value: last_message_at }),
  )
  const ids = data.map(({ id }) => id)
  const asker = { user_id, meet: meetPattern(ctx.config), known: own.known(user_id, ids) }
  const chats = await findOwnChats(ctx.db, asker, ids)
  const { cards, author_ids } = await own.read(ctx, actor, chats)
  const people = await peopleOf(ctx, chats, author_ids)
  return `{"data":[${cards}],${JSON.stringify({ people, meta }).slice(1)}`
}
