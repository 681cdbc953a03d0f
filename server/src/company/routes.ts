import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { changeSettings, readSettings } from './settings.js'

export function companyRoutes(routes: Routes) {
  route(routes, api.getWorkspaceSettings, async ({ ctx }) => ({ data: await readSettings(ctx) }))
  route(routes, api.updateWorkspaceSettings, async ({ ctx, actor, body }) => ({
    data: await changeSettings(ctx, actor, body),
  }))
}
