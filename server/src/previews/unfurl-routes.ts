import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { unfurl } from './unfurl.js'

export function unfurlRoutes(routes: Routes) {
  route(routes, api.createLinkPreviews, ({ ctx, actor, params, body }) =>
    unfurl(ctx, actor, params.id, body.link_previews),
  )
}
