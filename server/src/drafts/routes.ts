import * as api from '@parley/contract'
import type { TSchema } from 'typebox'
import { measureIn } from '../files/measure.js'
import { noteSizes } from '../files/note-sizes.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { found, Problem } from '../platform/problem.js'
import { deleteDraft } from './delete.js'
import { loadDrafts } from './load.js'
import { findReadablePlace, type Place } from './place.js'
import { putDraftAt } from './put.js'
import { findDraft, listDraftRows } from './queries.js'
import { createDraft, updateDraft } from './save.js'
import { listNextSends } from './schedule.js'

/** The refusals of a schedule have codes of their own, so that its shape is not the body check's to judge. */
function schedulesAside(request: typeof api.DraftCreateRequest | typeof api.DraftUpdateRequest): TSchema {
  const { draft } = request.properties
  const loose = { ...draft, properties: { ...draft.properties, schedule: {} } }
  return { ...request, properties: { draft: loose } }
}

/** Send times that a preview shows. */
const PREVIEWED = 5
/** No chat has this id. */
const NOWHERE: Place = { chat_id: 0, to_user_id: null }

/** The place to narrow to: none asked for, one that is there, or one that nothing can be in. */
async function narrowed(ctx: Context, actor: Actor, query: api.QueryOf<typeof api.listDrafts>) {
  const { entity_type, entity_id } = query
  if (entity_type === undefined && entity_id === undefined) return {}
  if (entity_type === undefined)
    throw new Problem(422, 'blank', { key: 'entity_type', message: 'is needed beside entity_id' })
  if (entity_id === undefined)
    throw new Problem(422, 'blank', { key: 'entity_id', message: 'is needed beside entity_type' })
  const place = await findReadablePlace(ctx.db, actor, { entity_type, entity_id })
  return { place: place ?? NOWHERE }
}

export function draftRoutes(routes: Routes) {
  route(routes, api.listDrafts, async ({ ctx, actor, query }) => {
    const paging = readPaging(query, { list: api.listDrafts.id, secret: ctx.secret, limit: 50 })
    const place = await narrowed(ctx, actor, query)
    const filter = { user_id: actor.user_id, type: query.type ?? 'regular', ...place }
    const { data, meta } = await loadPage(
      paging,
      (part) => listDraftRows(ctx.db, filter, part),
      ({ id }) => ({ id }),
    )
    return { data: await loadDrafts(ctx, data), meta }
  })

  route(
    routes,
    api.createDraft,
    async ({ ctx, actor, body, reply }) => {
      const data = await createDraft(ctx, actor, body.draft)
      noteSizes(reply, body.draft.files, data.files)
      return { data }
    },
    { bodyShape: schedulesAside(api.DraftCreateRequest), complete: measureIn('draft') },
  )

  route(
    routes,
    api.putDraftAt,
    async ({ ctx, actor, body, reply }) => {
      const data = await putDraftAt(ctx, actor, body.draft)
      noteSizes(reply, body.draft.files, data?.files ?? [])
      return { data }
    },
    { complete: measureIn('draft') },
  )

  route(
    routes,
    api.previewSchedule,
    async ({ ctx, body }) => ({ data: listNextSends(body.schedule, now(ctx.clock), PREVIEWED) }),
    { bodyShape: { ...api.SchedulePreviewRequest, properties: { schedule: {} } } },
  )

  route(routes, api.getDraft, async ({ ctx, actor, params }) => {
    const row = found(await findDraft(ctx.db, actor.user_id, params.id))
    return { data: (await loadDrafts(ctx, [row]))[0] as api.Draft }
  })

  route(
    routes,
    api.updateDraft,
    async ({ ctx, actor, params, body, reply }) => {
      const data = await updateDraft(ctx, actor, params.id, body.draft)
      noteSizes(reply, body.draft.files, data.files)
      return { data }
    },
    { bodyShape: schedulesAside(api.DraftUpdateRequest), complete: measureIn('draft') },
  )

  route(routes, api.deleteDraft, ({ ctx, actor, params }) => deleteDraft(ctx, actor, params.id))
}
