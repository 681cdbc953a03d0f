import type { AuditIntegrity } from '@parley/contract'
import { findAuditKey } from '../platform/audit/key.js'
import type { Context } from '../platform/context.js'
import { countUnsealed } from './chain-queries.js'
import { verifyAudit } from './verify.js'

/** A walk through a long chain takes a while: those who ask meanwhile get the same one. */
const running = new WeakMap<Context['config'], Promise<AuditIntegrity>>()

async function check(ctx: Context): Promise<AuditIntegrity> {
  const key = await findAuditKey(ctx.config)
  const unsealed = await countUnsealed(ctx.db)
  const verdict = await verifyAudit(ctx.autocommit, key ? { key } : {})
  const { whole, checked } = verdict
  if (verdict.whole)
    return { whole, checked, unsealed, position: null, fault: null, head: verdict.head ?? null }
  return { whole, checked, unsealed, position: verdict.position, fault: verdict.fault, head: null }
}

export function checkIntegrity(ctx: Context): Promise<AuditIntegrity> {
  const known = running.get(ctx.config)
  if (known) return known
  const walk = check(ctx).finally(() => running.delete(ctx.config))
  running.set(ctx.config, walk)
  return walk
}
