import * as api from '@parley/contract'
import type { FastifyReply } from 'fastify'
import { record } from '../platform/audit/record.js'
import { transaction } from '../platform/db/transaction.js'
import { noteIgnored } from '../platform/http/ignored.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { parseTime } from '../platform/time.js'
import { checkIntegrity } from './integrity.js'
import { presentAuditEvent } from './present.js'
import { type AuditFilter, listAudit } from './queries.js'

type Asked = api.QueryOf<typeof api.listAuditEvents>

/** A time that cannot be read drops its filter, and the answer says so. */
function readTime(reply: FastifyReply, asked: Asked, name: 'start_time' | 'end_time'): Date | undefined {
  const text = asked[name]
  const time = text === undefined ? undefined : parseTime(text)
  if (text !== undefined && !time) noteIgnored(reply, name)
  return time
}

const NOBODY = -1

function readFilter(reply: FastifyReply, asked: Asked): AuditFilter {
  const filter: AuditFilter = {}
  const from = readTime(reply, asked, 'start_time')
  const to = readTime(reply, asked, 'end_time')
  if (from) filter.from = from
  if (to) filter.to = to
  if (asked.event_key) filter.event_key = asked.event_key
  if (asked.actor_id !== undefined)
    filter.actor_id = /^\d{1,15}$/.test(asked.actor_id) ? Number(asked.actor_id) : NOBODY
  // Every actor is a user, also where another entity type is asked for.
  if (asked.actor_type !== undefined && asked.actor_type !== 'User') filter.actor_id = NOBODY
  if (asked.entity_id !== undefined) filter.entity_id = asked.entity_id
  if (asked.entity_type !== undefined) filter.entity_type = asked.entity_type
  return filter
}

export function auditRoutes(routes: Routes) {
  route(routes, api.listAuditEvents, async ({ ctx, actor, query, reply }) => {
    const paging = readPaging(query, { list: api.listAuditEvents.id, secret: ctx.secret, limit: 50 })
    const filter = readFilter(reply, query)
    const { data, meta } = await loadPage(
      paging,
      (part) => listAudit(ctx.db, filter, part),
      (row) => ({ value: row.created_at, id: row.sequence }),
    )
    // Written after the reading, so that a call does not find itself.
    const access = { event_key: 'audit_events_accessed', entity_type: 'User', entity_id: actor.user_id }
    await transaction(ctx, (tx) => record(tx, ctx, actor, access))
    return { data: data.map(presentAuditEvent), meta }
  })
  route(routes, api.checkAuditIntegrity, async ({ ctx }) => ({ data: await checkIntegrity(ctx) }))
}
