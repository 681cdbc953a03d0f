import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { presentPreview } from './present.js'
import { listPreviewsFor } from './queries.js'

export function previewRoutes(routes: Routes) {
  route(routes, api.listLinkPreviews, async ({ ctx, actor, query }) => {
    const rows = await listPreviewsFor(ctx.db, actor, query.message_ids)
    return { data: await Promise.all(rows.map((row) => presentPreview(ctx, row))) }
  })
}
