import type { Api } from '../platform/http/route.js'

export function messageRoutes(_api: Api) {}
