import type { Api } from '../platform/http/route.js'

export function tagRoutes(_api: Api) {}
