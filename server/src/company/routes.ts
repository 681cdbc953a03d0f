import type { Api } from '../platform/http/route.js'

export function companyRoutes(_api: Api) {}
