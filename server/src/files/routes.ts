import { downloadFile, getPerimeter, getUploadParams, setPerimeter } from '@parley/contract'
import { type Api, route } from '../platform/http/route.js'
import { changePerimeter, openUpload } from './actions.js'
import { download } from './download.js'
import { findPerimeter } from './queries.js'

export function fileRoutes(api: Api) {
  route(api, getUploadParams, ({ ctx, actor }) => openUpload(ctx, actor))
  route(api, downloadFile, (call) => download(call))
  route(api, getPerimeter, async ({ ctx }) => ({ data: { addresses: await findPerimeter(ctx.db) } }))
  route(api, setPerimeter, async ({ ctx, body }) => ({ data: await changePerimeter(ctx, body) }))
}
