import { answerViewSubmit, closeView, listViews, openView, pressButton, submitView } from '@parley/contract'
import { ownKeyOf } from '../platform/http/idempotency.js'
import { type Api, route } from '../platform/http/route.js'
import { answerSubmit } from './answer.js'
import { closeViewOf } from './close.js'
import { loadOpenViews } from './load.js'
import { openViewOf } from './open.js'
import { pressButtonOf, type Telling } from './press.js'
import { submitViewOf } from './submit.js'

const END_MS = 5_000

export function formRoutes(api: Api) {
  const telling: Telling = new Set()
  const allTold = () => {
    const late = new Promise((resolve) => setTimeout(resolve, END_MS).unref())
    return Promise.race([Promise.all(telling), late])
  }
  api.ending.resources.push(allTold)
  api.ctx.resets.add(allTold)

  route(
    api,
    pressButton,
    async ({ ctx, actor, params, body, request }) => {
      const key = ownKeyOf(actor, request, body)
      return { data: { trigger_id: await pressButtonOf(ctx, actor, params.id, body, key, telling) } }
    },
    { ownKeys: true },
  )
  route(api, openView, ({ ctx, actor, body }) => openViewOf(ctx, actor, body))
  route(api, listViews, async ({ ctx, actor }) => ({ data: await loadOpenViews(ctx, actor) }))
  route(
    api,
    submitView,
    async ({ ctx, actor, params, body, request }) => {
      const key = ownKeyOf(actor, request, body)
      return { data: await submitViewOf(ctx, actor, params.id, body.data, key) }
    },
    { ownKeys: true },
  )
  route(api, answerViewSubmit, async ({ ctx, actor, params, body }) => {
    await answerSubmit(ctx, actor, params.view_id, body)
    return { success: true as const }
  })
  route(api, closeView, ({ ctx, actor, params }) => closeViewOf(ctx, actor, params.id))
}
