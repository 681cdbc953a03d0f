import * as api from '@parley/contract'
import { ownKeyOf } from '../platform/http/idempotency.js'
import { type Routes, route } from '../platform/http/route.js'
import { answerSubmit } from './answer.js'
import { closeView } from './close.js'
import { loadOpenViews } from './load.js'
import { openView } from './open.js'
import { followSends, pressButton } from './press.js'
import { openSampleForm } from './sample.js'
import { submitView } from './submit.js'

export function formRoutes(routes: Routes) {
  const pending = followSends(routes)
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
  route(routes, api.openSampleForm, ({ ctx, actor, params, body }) =>
    openSampleForm(ctx, actor, params.id, body),
  )
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
