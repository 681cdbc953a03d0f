import type { SandboxWorkspace } from '@parley/contract'
import { readWorkspace, updateWorkspace } from '../company/queries.js'
import { defineProperty } from '../custom-properties/actions.js'
import { actingFor } from '../platform/actor.js'
import { isAddressRange } from '../platform/address-range.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { NETWORK } from '../platform/http/fault-text.js'
import { Problem } from '../platform/problem.js'
import { readOwnerId } from './queries.js'

const COLUMNS = [
  'plan',
  'suspended',
  'integrations',
  'personal_tokens',
  'show_personal_data',
  'perimeter',
] as const

export async function readSettings(ctx: Context): Promise<SandboxWorkspace> {
  const { plan, suspended, integrations, personal_tokens, show_personal_data, perimeter } =
    await readWorkspace(ctx.db)
  const rules = { integrations, personal_tokens, show_personal_data, perimeter }
  return { plan, suspended, ...rules } as SandboxWorkspace
}

/** Changes the settings that are given and leaves the others. */
export async function writeSettings(ctx: Context, change: Partial<SandboxWorkspace>) {
  const odd = change.perimeter?.find((range) => !isAddressRange(range))
  if (odd !== undefined) throw new Problem(400, 'invalid', { key: 'perimeter', value: odd, message: NETWORK })
  const known = Object.fromEntries(
    COLUMNS.filter((name) => change[name] !== undefined).map((name) => [name, change[name]]),
  )
  if (Object.keys(known).length === 0) return
  await transaction(ctx, (tx) => updateWorkspace(tx, known))
}

/** Defines a custom property in the name of the owner. */
export async function makeProperty(ctx: Context, property: Parameters<typeof defineProperty>[2]) {
  const owner_id = await readOwnerId(ctx.db)
  return defineProperty(ctx, actingFor(owner_id, 'owner', 'corporation'), property)
}
