import type { Api } from '../platform/http/route.js'

export function memberRoutes(_api: Api) {}
