import { listLinkPreviews } from '@parley/contract'
import { type Api, route } from '../platform/http/route.js'
import { presentPreview } from './present.js'
import { listPreviewsFor } from './queries.js'

export function previewRoutes(api: Api) {
  route(api, listLinkPreviews, async ({ ctx, actor, query }) => {
    const rows = await listPreviewsFor(ctx.db, actor, query.message_ids)
    return { data: await Promise.all(rows.map((row) => presentPreview(ctx, row))) }
  })
}
