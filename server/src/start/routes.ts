import { getStart } from '@parley/contract'
import { type Api, ReadyJson, route } from '../platform/http/route.js'
import { readVersion } from '../platform/version.js'
import { readStart } from './read.js'

export function startRoutes(api: Api) {
  const version = readVersion()
  route(api, getStart, async ({ ctx, actor }) => new ReadyJson(await readStart(ctx, actor, version)))
}
