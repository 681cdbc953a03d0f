import * as api from '@parley/contract'
import { type Routes, route } from '../platform/http/route.js'
import { examine } from './doctor/examine.js'
import type { Finding } from './doctor/finding.js'

/** Everything that is set up is tried once at a time, however many ask. */
export function workspaceHealthRoutes(routes: Routes) {
  let running: Promise<Finding[]> | undefined
  route(routes, api.getHealth, async ({ ctx }) => {
    running ??= examine(ctx.config).finally(() => {
      running = undefined
    })
    return { data: (await running).map((finding) => ({ ...finding, advice: finding.advice ?? null })) }
  })
}
