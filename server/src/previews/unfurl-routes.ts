import { createLinkPreviews } from '@parley/contract'
import { type Api, route } from '../platform/http/route.js'
import { unfurl } from './unfurl.js'

export function unfurlRoutes(api: Api) {
  route(api, createLinkPreviews, ({ ctx, actor, params, body }) =>
    unfurl(ctx, actor, params.id, body.link_previews),
  )
}
