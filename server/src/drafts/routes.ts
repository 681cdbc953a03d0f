import type { Api } from '../platform/http/route.js'

export function draftRoutes(_api: Api) {}
