import type { Api } from '../platform/http/route.js'

export function taskRoutes(_api: Api) {}
