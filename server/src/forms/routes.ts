import type { Api } from '../platform/http/route.js'

export function formRoutes(_api: Api) {}
