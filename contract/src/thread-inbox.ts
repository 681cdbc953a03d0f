import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { PersonCard } from './people.js'
import { PEOPLE } from './scopes.js'
import { Cursor, Id, Limit, Nullable, Page } from './shapes.js'
import { ThreadSummary, TimelineMessage } from './timeline.js'

/** A thread with what it hangs under and its last replies. */
export const ThreadInboxItem = Type.Object({
  thread: Type.Object({
    ...ThreadSummary.properties,
    root_chat_id: Type.Integer({
      format: 'int64',
      description: 'The chat the thread hangs in; its own chat for a standalone thread.',
    }),
  }),
  parent: Nullable(TimelineMessage, { description: 'Null for a standalone thread.' }),
  last_replies: Type.Array(TimelineMessage, { description: 'Oldest first, two at most.' }),
})
export type ThreadInboxItem = Static<typeof ThreadInboxItem>

const own = {
  area: 'Threads',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
} as const

export const listThreadInbox = operation({
  ...own,
  id: 'listThreadInbox',
  scope: 'threads:read',
  summary: 'Followed threads, latest reply first',
  access: 'Threads that the caller is in.',
  method: 'GET',
  path: '/threads/inbox',
  query: Type.Object({ limit: Type.Optional(Limit(50)), cursor: Type.Optional(Cursor) }),
  returns: {
    status: 200,
    body: Type.Object({
      ...Page(ThreadInboxItem).properties,
      people: Type.Array(PersonCard, { description: 'Whom the messages name.' }),
    }),
  },
})

export const followThread = operation({
  ...own,
  id: 'followThread',
  scope: 'threads:read',
  summary: 'Follow a thread, or stop',
  description: 'Whoever follows a thread is in it.',
  access: 'Whoever may read the thread.',
  method: 'PUT',
  path: '/threads/{id}/follow',
  params: Type.Object({ id: Id }),
  body: Type.Object({ following: Type.Boolean() }),
  returns: { status: 204 },
  problems: { 404: ['not_found'], 422: ['blank'] },
})
