import type { Api } from '../platform/http/route.js'

export function chatRoutes(_api: Api) {}
