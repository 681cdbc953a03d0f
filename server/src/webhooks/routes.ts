import type { Api } from '../platform/http/route.js'

export function webhookRoutes(_api: Api) {}
