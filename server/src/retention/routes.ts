import * as api from '@parley/contract'
import type { Context } from '../platform/context.js'
import { type Routes, route } from '../platform/http/route.js'
import { listChanges } from './queries.js'
import { findDays, previewRetention, setRetention } from './setting.js'

const CHANGES_SHOWN = 50

async function presentRetention({ db }: Context): Promise<api.Retention> {
  const changes = await listChanges(db, CHANGES_SHOWN)
  return {
    days: await findDays(db),
    changes: changes.map(({ user_id, created_at, days }) => ({
      user_id,
      created_at: created_at.toISOString(),
      days,
    })),
  }
}

export function retentionRoutes(routes: Routes) {
  route(routes, api.getRetention, async ({ ctx }) => ({ data: await presentRetention(ctx) }))

  route(routes, api.previewRetention, async ({ ctx, body }) => ({
    data: await previewRetention(ctx, body.days),
  }))
  route(routes, api.updateRetention, async ({ ctx, actor, body }) => {
    await setRetention(ctx, actor, body.days)
    return { data: await presentRetention(ctx) }
  })
}
