import type { Api } from '../platform/http/route.js'

export function fileRoutes(_api: Api) {}
