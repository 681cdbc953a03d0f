import * as api from '@parley/contract'
import { ownKeyOf } from '../platform/http/idempotency.js'
import { type Routes, route } from '../platform/http/route.js'
import { answerSubmit } from './answer.js'
import { closeView } from './close.js'
import { loadOpenViews } from './load.js'
import { openView } from './open.js'
import { type PendingSends, pressButton } from './press.js'
import { submitView } from './submit.js'

const END_MS = 5_000

export function formRoutes(routes: Routes) {
  const pending: PendingSends = new Set()
  const allTold = () => {
    const late = new Promise((resolve) => setTimeout(resolve, END_MS).unref())
    return Promise.race([Promise.all(pending), late])
  }
  routes.ending.resources.push(allTold)
  routes.ctx.resets.add(allTold)

  route(
    routes,
    api.pressButton,
    async ({ ctx, actor, params, body, request }) => {
      const key = ownKeyOf(actor, request, body)
      return { data: { trigger_id: await pressButton(ctx, actor, params.id, body, key, pending) } }
    },
    { ownKeys: true },
  )
  route(routes, api.openView, ({ ctx, actor, body }) => openView(ctx, actor, body))
  route(routes, api.listViews, async ({ ctx, actor }) => ({ data: await loadOpenViews(ctx, actor) }))
  route(
    routes,
    api.submitView,
    async ({ ctx, actor, params, body, request }) => {
      const key = ownKeyOf(actor, request, body)
      return { data: await submitView(ctx, actor, params.id, body.data, key) }
    },
    { ownKeys: true },
  )
  route(routes, api.answerViewSubmit, async ({ ctx, actor, params, body }) => {
    await answerSubmit(ctx, actor, params.view_id, body)
    return { success: true as const }
  })
  route(routes, api.closeView, ({ ctx, actor, params }) => closeView(ctx, actor, params.id))
}
