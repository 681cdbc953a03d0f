import * as api from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { ensure, Problem, refuse } from '../platform/problem.js'
import { MINUTE_MS } from '../platform/time.js'
import { archiveKey } from './assemble.js'
import { orderExport } from './order.js'
import { dayOf, expiryOf, presentExport } from './present.js'
import { findExport, findTurn, listExportRows } from './queries.js'

const LINK_MS = 5 * MINUTE_MS

/** A link to the archive for five minutes, for the one who ordered it. */
async function linkTo(ctx: Context, actor: Actor, id: number): Promise<string> {
  const missing = new Problem(404, 'export_file_not_found', { key: 'id', value: id })
  const row = await findExport(ctx.db, id)
  if (!row) throw missing
  if (row.user_id !== actor.user_id) ensure(refuse('export.orderer'), 'download', { type: 'Export', id })
  const at = now(ctx.clock)
  const expires_at = expiryOf(row)
  if (!expires_at || expires_at <= at) throw missing
  const period = `${dayOf(row.from_at)}_${dayOf(new Date(row.to_at.getTime() - 1))}`
  return ctx.storage.signedUrl(archiveKey(id), {
    expires_at: new Date(at.getTime() + LINK_MS),
    filename: `export_${id}_${period}.zip`,
    content_type: 'application/zip',
    disposition: 'attachment',
  })
}

export function exportRoutes(routes: Routes) {
  route(routes, api.orderExport, ({ ctx, actor, body }) => orderExport(ctx, actor, body))

  route(routes, api.downloadExport, async ({ ctx, actor, params, reply }) => {
    reply.header('Location', await linkTo(ctx, actor, params.id))
  })

  route(routes, api.listExports, async ({ ctx, query }) => {
    const paging = readPaging(query, { list: api.listExports.id, secret: ctx.secret, limit: 50 })
    const { data, meta } = await loadPage(
      paging,
      (part) => listExportRows(ctx.db, part),
      ({ id }) => ({ id }),
    )
    const turn = await findTurn(ctx.db)
    const at = now(ctx.clock)
    return { data: data.map((row) => presentExport(row, at, turn)), meta }
  })
}
