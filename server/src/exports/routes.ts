import type { Api } from '../platform/http/route.js'

export function exportRoutes(_api: Api) {}
