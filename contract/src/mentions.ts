import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { PersonCard } from './people.js'
import { PEOPLE } from './scopes.js'
import { Cursor, Id, Limit, Page } from './shapes.js'
import { TimelineMessage } from './timeline.js'

/** A message that names the caller. */
export const Mention = Type.Object({ chat_id: Id, message: TimelineMessage })
export type Mention = Static<typeof Mention>

export const listMentions = operation({
  id: 'listMentions',
  area: 'Messages',
  summary: 'Messages that name the caller, newest first',
  description: 'By nickname, by a tag of the caller, or by `@all` and `@here` in a chat of the caller.',
  access: 'Messages that the caller may read; deleted ones and own ones are left out.',
  method: 'GET',
  path: '/mentions',
  scope: 'messages:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
  query: Type.Object({ limit: Type.Optional(Limit(50)), cursor: Type.Optional(Cursor) }),
  returns: {
    status: 200,
    body: Type.Object({
      ...Page(Mention).properties,
      people: Type.Array(PersonCard, { description: 'Whom the messages name.' }),
    }),
  },
})
