import { getWorkspaceSettings, updateWorkspaceSettings } from '@parley/contract'
import { type Api, route } from '../platform/http/route.js'
import { changeSettings, readSettings } from './settings.js'

export function companyRoutes(api: Api) {
  route(api, getWorkspaceSettings, async ({ ctx }) => ({ data: await readSettings(ctx) }))
  route(api, updateWorkspaceSettings, async ({ ctx, actor, body }) => ({
    data: await changeSettings(ctx, actor, body),
  }))
}
