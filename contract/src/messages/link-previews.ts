import { type Static, Type } from 'typebox'
import { operation } from '../operation.js'
import { BOTS } from '../scopes.js'
import { Id } from '../shapes.js'

/** Preview of one link; `image` wins over `image_url`. */
export const LinkPreview = Type.Object({
  title: Type.String(),
  description: Type.String(),
  image_url: Type.Optional(Type.String()),
  image: Type.Optional(
    Type.Object({
      key: Type.String(),
      name: Type.String(),
      size: Type.Optional(Type.Integer({ format: 'int32' })),
    }),
  ),
})
export type LinkPreview = Static<typeof LinkPreview>

/** Previews by link. One wrong link refuses the whole request. */
export const LinkPreviewsRequest = Type.Object({
  link_previews: Type.Record(Type.String(), LinkPreview),
})
export type LinkPreviewsRequest = Static<typeof LinkPreviewsRequest>

export const createLinkPreviews = operation({
  id: 'createLinkPreviews',
  area: 'Messages',
  summary: 'Previews for links of a message',
  access: 'Preview bots (trigger_on unfurl) only.',
  method: 'POST',
  path: '/messages/{id}/link_previews',
  scope: 'link_previews:write',
  plan: null,
  roles: BOTS,
  rate: 'other',
  params: Type.Object({ id: Id }),
  body: LinkPreviewsRequest,
  returns: { status: 204 },
  problems: { 404: ['not_found'], 422: ['wrong_params', 'not_found'] },
  whileSuspended: true,
})
