import type { QueryOf } from '@parley/contract'
import * as contract from '@parley/contract'
import type { TSchema } from 'typebox'
import { measureIn } from '../files/measure.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { pageResult, readPaging } from '../platform/http/page.js'
import { type Api, route } from '../platform/http/route.js'
import { found, Problem } from '../platform/problem.js'
import { deleteDraft } from './delete.js'
import { loadDrafts } from './load.js'
import { findPlace } from './place.js'
import { findDraft, listDraftRows } from './queries.js'
import { createDraft, updateDraft } from './save.js'

/** The refusals of a schedule have codes of their own, so that its shape is not the body check's to judge. */
function schedulesAside(
  request: typeof contract.DraftCreateRequest | typeof contract.DraftUpdateRequest,
): TSchema {
  const { draft } = request.properties
  const loose = { ...draft, properties: { ...draft.properties, schedule: {} } }
  return { ...request, properties: { draft: loose } }
}

/** The place to narrow to: none asked for, one that is there, or one that nothing can be in. */
async function narrowed(ctx: Context, actor: Actor, query: QueryOf<typeof contract.listDrafts>) {
  const { entity_type, entity_id } = query
  if (entity_type === undefined && entity_id === undefined) return {}
  if (entity_type === undefined) throw new Problem(422, 'blank', { key: 'entity_type' })
  if (entity_id === undefined) throw new Problem(422, 'blank', { key: 'entity_id' })
  return { chat_id: (await findPlace(ctx.db, actor, entity_type, entity_id)) ?? 0 }
}

export function draftRoutes(api: Api) {
  route(api, contract.listDrafts, async ({ ctx, actor, query }) => {
    const paging = readPaging(query, { list: contract.listDrafts.id, secret: ctx.secret, limit: 50 })
    const place = await narrowed(ctx, actor, query)
    const filter = { user_id: actor.user_id, type: query.type ?? 'regular', ...place }
    const rows = await listDraftRows(ctx.db, filter, paging)
    const { data, meta } = pageResult(rows, paging, ({ id }) => ({ id }))
    return { data: await loadDrafts(ctx, data), meta }
  })

  route(
    api,
    contract.createDraft,
    async ({ ctx, actor, body }) => ({ data: await createDraft(ctx, actor, body.draft) }),
    { bodyShape: schedulesAside(contract.DraftCreateRequest), complete: measureIn('draft') },
  )

  route(api, contract.getDraft, async ({ ctx, actor, params }) => {
    const row = found(await findDraft(ctx.db, actor.user_id, params.id))
    return { data: (await loadDrafts(ctx, [row]))[0] as contract.Draft }
  })

  route(
    api,
    contract.updateDraft,
    async ({ ctx, actor, params, body }) => ({ data: await updateDraft(ctx, actor, params.id, body.draft) }),
    { bodyShape: schedulesAside(contract.DraftUpdateRequest), complete: measureIn('draft') },
  )

  route(api, contract.deleteDraft, ({ ctx, actor, params }) => deleteDraft(ctx, actor, params.id))
}
