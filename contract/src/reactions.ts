import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { EVERYONE } from './scopes.js'
import { Cursor, Id, Limit, Page, PageNumber, PerPage, Timestamp } from './shapes.js'

/** A reaction of one user. */
export const Reaction = Type.Object({
  user_id: Id,
  created_at: Timestamp,
  code: Type.String(),
  name: Type.String(),
})
export type Reaction = Static<typeof Reaction>

/** Reaction to add. */
export const ReactionRequest = Type.Object({
  code: Type.String(),
  name: Type.Optional(Type.String({ description: 'Needed for custom emoji.' })),
})
export type ReactionRequest = Static<typeof ReactionRequest>

export const listReactions = operation({
  id: 'listReactions',
  area: 'Reactions',
  summary: 'Reactions of a message',
  access: 'Whoever may read the chat.',
  method: 'GET',
  path: '/messages/{id}/reactions',
  scope: 'reactions:read',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  query: Type.Object({
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
    per: Type.Optional(PerPage(50, 50)),
    page: Type.Optional(PageNumber),
    code: Type.Optional(Type.String({ description: 'Only reactions with this emoji character.' })),
    name: Type.Optional(Type.String({ description: 'With `code`: name, for custom emoji.' })),
  }),
  returns: { status: 200, body: Page(Reaction) },
  problems: { 404: ['not_found'] },
  neverAnswered: [422],
  whileSuspended: true,
})

export const addReaction = operation({
  id: 'addReaction',
  area: 'Reactions',
  summary: 'Add a reaction',
  description:
    'The body is the bare reaction, without a `data` envelope. Adding the same reaction twice does not duplicate it.',
  access: 'Whoever may read the chat.',
  method: 'POST',
  path: '/messages/{id}/reactions',
  scope: 'reactions:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: ReactionRequest,
  returns: { status: 201, body: Reaction },
  problems: {
    404: ['message_deleted'],
    422: ['user_limit', 'unique_limit', 'general_limit', 'invalid'],
  },
  whileSuspended: true,
})

export const removeReaction = operation({
  id: 'removeReaction',
  area: 'Reactions',
  summary: 'Remove an own reaction',
  access: 'Own reactions only.',
  method: 'DELETE',
  path: '/messages/{id}/reactions',
  scope: 'reactions:write',
  plan: null,
  roles: EVERYONE,
  rate: 'other',
  params: Type.Object({ id: Id }),
  query: Type.Object({
    code: Type.String({ description: 'Emoji character.' }),
    name: Type.Optional(Type.String({ description: 'Name, for custom emoji.' })),
  }),
  returns: { status: 204 },
  problems: { 404: ['not_found'] },
  neverAnswered: [422],
  whileSuspended: true,
})
