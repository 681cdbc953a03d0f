import { answers, type Breakage, breaks, errors, ignores } from './break.js'
import type { Json, Mutation } from './proxy.js'

const MESSAGES = 'GET /messages'

/** Puts the last item of a page on the page behind it as well. */
function repeatsItem(): Mutation {
  let last: Json
  return {
    reply({ body, status }, { path, query }) {
      if (path !== '/v1/messages' || status !== 200 || !body.data) return
      if (query.get('cursor') && last)
        body.data = [last, ...body.data].slice(0, Number(query.get('limit') ?? 50))
      last = body.data.at(-1)
    },
  }
}

const byCursor = (change: (body: Json) => void) =>
  answers(MESSAGES, (body, _, { query }) => {
    if (query.has('cursor')) change(body)
  })

/** Lists, pages and filters that are wrong. */
export const LISTS: readonly Breakage[] = [
  breaks(
    'limit is passed over',
    ['MSG-006'],
    ignores(MESSAGES, ({ query }) => query.delete('limit')),
  ),
  breaks(
    'one more than limit comes',
    ['MSG-006'],
    ignores(MESSAGES, ({ query }) => {
      if (query.has('limit')) query.set('limit', '3')
    }),
  ),
  breaks('an item is repeated on the next page', ['MSG-006'], repeatsItem),
  breaks('pages shift when something is added', ['MSG-007'], repeatsItem),
  breaks(
    'an item is left out between pages',
    ['MSG-006'],
    byCursor((body) => body.data.shift()),
  ),
  breaks(
    'the next page is the same page',
    ['MSG-006'],
    ignores(MESSAGES, ({ query }) => {
      if (query.get('cursor') !== 'no-such-cursor') query.delete('cursor')
    }),
  ),
  breaks(
    'a page is in the wrong order',
    ['MSG-006'],
    answers(MESSAGES, ({ data }) => data.reverse()),
  ),
  breaks(
    'order is passed over',
    ['CHAT-010'],
    ignores('GET /chats', ({ query }) => query.delete('order')),
  ),
  breaks(
    'the order of threads is that of their ids',
    ['THREAD-008'],
    answers('GET /threads', ({ data }) => data.sort((a: { id: number }, b: { id: number }) => b.id - a.id)),
  ),
  breaks(
    'the last page says that there is more',
    ['MSG-006'],
    answers(MESSAGES, ({ meta }) => {
      meta.paginate.has_next = true
    }),
  ),
  breaks(
    'a page says that there is no more',
    ['MSG-006'],
    answers(MESSAGES, ({ meta }) => {
      meta.paginate.has_next = false
    }),
  ),
  breaks(
    'later pages have none before them',
    ['MSG-006'],
    answers(MESSAGES, ({ meta }) => {
      meta.paginate.has_prev = false
    }),
  ),
  breaks(
    'the first page has one before it',
    ['MSG-006'],
    answers(MESSAGES, ({ meta }) => {
      meta.paginate.has_prev = true
    }),
  ),
  breaks(
    'prev_page leads forward',
    ['MSG-006'],
    answers(MESSAGES, ({ meta }) => {
      meta.paginate.prev_page = meta.paginate.next_page
    }),
  ),
  breaks(
    'a cursor that was never given works',
    ['listTasks/cursor'],
    ignores('GET /tasks', ({ query }) => query.delete('cursor')),
  ),
  breaks(
    'a refused cursor is not named',
    ['listTasks/cursor'],
    errors(400, (items) =>
      items.forEach((item) => {
        item.key = 'base'
      }),
    ),
  ),
  breaks(
    'limit 0 is everything',
    ['listTasks/limit'],
    ignores('GET /tasks', ({ query }) => query.delete('limit')),
  ),
  breaks(
    'an unknown word of a parameter is passed over',
    ['listTasks/word'],
    ignores('GET /tasks', ({ query }) => query.delete('status')),
  ),
  breaks(
    'a parameter that is needed is not asked for',
    ['listCustomProperties/required'],
    ignores('GET /custom_properties', ({ query }) => query.set('entity_type', 'User')),
  ),
  breaks(
    'page numbers are passed over',
    ['MSG-019'],
    ignores(MESSAGES, ({ query }) => query.delete('page')),
  ),
  breaks(
    'a filter by status is passed over',
    ['TASK-006'],
    ignores('GET /tasks', ({ query }) => query.delete('status')),
  ),
  breaks(
    'a filter by name is passed over',
    ['TAG-004'],
    ignores('GET /group_tags', ({ query }) => query.delete('names[]')),
  ),
  breaks(
    'a filter by role is passed over',
    ['MEMBER-010'],
    ignores('GET /chats/{id}/members', ({ query }) => query.delete('role')),
  ),
  breaks(
    'scheduled messages are among the drafts',
    ['DRAFT-005'],
    ignores('GET /drafts', ({ query }) => query.set('type', 'all')),
  ),
  breaks(
    'open chats of others are not listed',
    ['CHAT-011'],
    ignores('GET /chats', ({ query }) => query.delete('availability')),
  ),
  breaks(
    'archived chats stay in the list',
    ['CHAT-012'],
    ignores('GET /chats', ({ query }) => query.set('archived', 'true')),
  ),
  breaks(
    'lists with commas are not read',
    ['REQ-002'],
    ignores('GET /tasks', ({ query }) => {
      if (query.has('chat_ids')) query.delete('chat_ids')
    }),
  ),
  breaks(
    'the total of a search is that of the page',
    ['SEARCH-001'],
    answers('GET /search/messages', (body) => {
      body.meta.total = 1
    }),
  ),
  breaks(
    'a search is oldest first',
    ['SEARCH-001'],
    answers('GET /search/messages', ({ data }) => data.reverse()),
  ),
]
