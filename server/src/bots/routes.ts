import type { Api } from '../platform/http/route.js'

export function botRoutes(_api: Api) {}
