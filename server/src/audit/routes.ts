import type { Api } from '../platform/http/route.js'

export function auditRoutes(_api: Api) {}
