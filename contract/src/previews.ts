import { type Static, Type } from 'typebox'
import { operation } from './operation.js'
import { PEOPLE } from './scopes.js'
import { Data, Id, Nullable } from './shapes.js'

/** A preview as shown below a message. */
export const ShownLinkPreview = Type.Object({
  message_id: Id,
  url: Type.String(),
  title: Type.String(),
  description: Type.String(),
  image_url: Nullable(Type.String()),
})
export type ShownLinkPreview = Static<typeof ShownLinkPreview>

export const listLinkPreviews = operation({
  id: 'listLinkPreviews',
  area: 'Messages',
  summary: 'Previews of the links of messages',
  description: 'Messages that have none, or that the caller may not read, are left out.',
  access: 'Whoever may read the messages.',
  method: 'GET',
  path: '/link_previews',
  scope: 'messages:read',
  plan: null,
  roles: PEOPLE,
  rate: 'other',
  addition: true,
  query: Type.Object({
    message_ids: Type.Array(Id, { maxItems: 100, description: 'Messages. Comma-separated.' }),
  }),
  returns: { status: 200, body: Data(Type.Array(ShownLinkPreview)) },
  problems: { 400: ['required', 'too_long'] },
})
