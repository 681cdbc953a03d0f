import type { Api } from '../platform/http/route.js'

export function liveRoutes(_api: Api) {}
