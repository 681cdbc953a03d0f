import type { Api } from '../platform/http/route.js'

export function searchRoutes(_api: Api) {}
