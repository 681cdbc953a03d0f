import * as api from '@parley/contract'
import { ReadyJson, type Routes, route } from '../platform/http/route.js'
import { readVersion } from '../platform/version.js'
import { readStart } from './read.js'

export function startRoutes(routes: Routes) {
  const version = readVersion()
  route(routes, api.getStart, async ({ ctx, actor }) => new ReadyJson(await readStart(ctx, actor, version)))
}
