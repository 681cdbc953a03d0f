import * as api from '@parley/contract'
import { now } from '../platform/clock.js'
import { transaction } from '../platform/db/transaction.js'
import { loadPage, readPaging } from '../platform/http/page.js'
import { type Routes, route } from '../platform/http/route.js'
import { found } from '../platform/problem.js'
import { matcherOf } from './apply.js'
import { type DlpRuleRow, deleteRule, insertRule, listRules, updateRule } from './queries.js'
import { readRule } from './rule.js'

function presentRule(row: DlpRuleRow): api.DlpRule {
  return {
    id: row.id,
    name: row.name,
    priority: row.priority,
    enabled: row.enabled,
    body: row.body,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

export function dlpRoutes(routes: Routes) {
  route(routes, api.listDlpRules, async ({ ctx, query }) => {
    const paging = readPaging(query, { list: api.listDlpRules.id, secret: ctx.secret, limit: 50 })
    const { data, meta } = await loadPage(
      paging,
      (part) => listRules(ctx.db, part),
      ({ priority }) => ({ id: priority }),
    )
    return { data: data.map(presentRule), meta }
  })

  route(routes, api.createDlpRule, async ({ ctx, body }) => {
    readRule(body.body)
    const at = now(ctx.clock)
    const { name, priority, enabled = true } = body
    const kept = {
      name,
      priority,
      enabled,
      body: JSON.stringify(body.body),
      created_at: at,
      updated_at: at,
    }
    return { data: presentRule(await transaction(ctx, (tx) => insertRule(tx, kept))) }
  })

  route(routes, api.updateDlpRule, async ({ ctx, params, body: { name, priority, enabled, body } }) => {
    if (body) readRule(body)
    const change = { name, priority, enabled, ...(body ? { body: JSON.stringify(body) } : {}) }
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
    const row = await transaction(ctx, (tx) =>
      updateRule(tx, params.id, { ...given, updated_at: now(ctx.clock) }),
    )
    return { data: presentRule(found(row)) }
  })

  route(routes, api.deleteDlpRule, async ({ ctx, params }) => {
    found((await transaction(ctx, (tx) => deleteRule(tx, params.id))) || undefined)
  })

  route(routes, api.tryDlpRule, async ({ ctx, body }) => {
    const { conditions } = readRule(body.body)
    const ask = (text: string) => matcherOf(ctx).match({ rule: 'trial', conditions, text })
    return { data: await Promise.all(body.texts.map(ask)) }
  })
}
