import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { changePerimeter, openUpload } from './actions.js'
import { download } from './download.js'
import { createLostKeys } from './lost-keys.js'
import { findPerimeter } from './queries.js'

export function fileRoutes(routes: Routes) {
  route(routes, api.getUploadParams, ({ ctx, actor }) => openUpload(ctx, actor))
  const lostKeys = createLostKeys(routes.ctx)
  route(routes, api.downloadFile, (call) => download(call, lostKeys))
  route(routes, api.getPerimeter, async ({ ctx }) => ({ data: { addresses: await findPerimeter(ctx.db) } }))
  route(routes, api.setPerimeter, async ({ ctx, body }) => ({ data: await changePerimeter(ctx, body) }))
}
