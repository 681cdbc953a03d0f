import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { RELEASE } from '../platform/version.js'
import { readLimits } from './limits.js'
import { readUsage } from './queries.js'
import { changeSettings, readSettings } from './settings.js'

export function companyRoutes(routes: Routes) {
  route(routes, api.getWorkspaceSettings, async ({ ctx }) => ({ data: await readSettings(ctx) }))
  route(routes, api.getWorkspaceUsage, async ({ ctx }) => ({
    data: { version: RELEASE, ...(await readUsage(ctx.db)) },
  }))
  route(routes, api.getWorkspaceLimits, async ({ ctx }) => ({ data: readLimits(ctx) }))
  route(routes, api.updateWorkspaceSettings, async ({ ctx, actor, body }) => ({
    data: await changeSettings(ctx, actor, body),
  }))
}
