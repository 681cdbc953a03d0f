import type { Api } from '../platform/http/route.js'

export function userRoutes(_api: Api) {}
