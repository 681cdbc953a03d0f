import type { Api } from '../platform/http/route.js'

export function threadRoutes(_api: Api) {}
