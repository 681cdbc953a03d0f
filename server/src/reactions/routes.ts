import type { Api } from '../platform/http/route.js'

export function reactionRoutes(_api: Api) {}
