import { isDeepStrictEqual } from 'node:util'
import { moveMorningsJob, type WorkspaceSettings, workspaceUpdated } from '@parley/contract'
import { IANAZone } from 'luxon'
import type { Actor } from '../platform/actor.js'
import { isAddressRange } from '../platform/address-range.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { BLANK, NETWORK, ZONE } from '../platform/http/fault-text.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { Problem } from '../platform/problem.js'
import { noticeSecretOf } from './notice-secret.js'
import { isOwnerLinked, lockWorkspace, readWorkspace, updateWorkspace, type WorkspaceRow } from './queries.js'

function presentSettings(ctx: Pick<Context, 'secret'>, row: WorkspaceRow): WorkspaceSettings {
  const { name, time_zone, plan, integrations, personal_tokens, own_names } = row
  const { show_personal_data, perimeter, licenses, removed_members_keep_threads } = row
  const { second_factor, password_sign_in } = row
  const access = { integrations, personal_tokens, own_names, second_factor, password_sign_in }
  const rules = { ...access, show_personal_data, perimeter, licenses }
  const webhook_secret = noticeSecretOf(ctx.secret)
  return {
    name,
    time_zone,
    plan,
    ...rules,
    removed_members_keep_threads,
    webhook_secret,
  } as WorkspaceSettings
}

export async function readSettings(ctx: Context): Promise<WorkspaceSettings> {
  return presentSettings(ctx, await readWorkspace(ctx.db))
}

const NO_PROVIDER =
  'the owner has signed in through no identity provider yet: sign in through one that is on first'

function check({ name, time_zone, perimeter }: Partial<WorkspaceSettings>) {
  if (name !== undefined && name.trim() === '')
    throw new Problem(422, 'blank', { key: 'name', value: name, message: BLANK })
  if (time_zone !== undefined && !IANAZone.isValidZone(time_zone))
    throw new Problem(422, 'invalid', { key: 'time_zone', value: time_zone, message: ZONE })
  const wrong = perimeter?.filter((text) => !isAddressRange(text)) ?? []
  if (wrong.length > 0)
    throw new Problem(422, 'invalid', { key: 'perimeter', value: wrong.join(', '), message: NETWORK })
}

export function changeSettings(
  ctx: Context,
  actor: Actor,
  input: Partial<WorkspaceSettings>,
): Promise<WorkspaceSettings> {
  check(input)
  return transaction(ctx, async (tx) => {
    const before = await lockWorkspace(tx)
    if (input.password_sign_in === 'off' && !(await isOwnerLinked(tx)))
      throw new Problem(422, 'invalid', { key: 'password_sign_in', value: 'off', message: NO_PROVIDER })
    const wanted = { ...before, ...input }
    const { name, time_zone, plan, integrations, personal_tokens, own_names } = wanted
    const { show_personal_data, perimeter, licenses, removed_members_keep_threads } = wanted
    const { second_factor, password_sign_in } = wanted
    const access = { integrations, personal_tokens, own_names, second_factor, password_sign_in }
    const rules = { ...access, show_personal_data, perimeter, licenses }
    const named = { name: name.trim(), time_zone, plan }
    const after = await updateWorkspace(tx, { ...named, ...rules, removed_members_keep_threads })
    if (password_sign_in !== before.password_sign_in)
      await record(tx, ctx, actor, {
        event_key: 'password_sign_in_changed',
        entity_type: 'Company',
        entity_id: before.id,
        details: { password_sign_in },
      })
    // All-day tasks remind in the morning of the workspace, wherever that is now.
    if (time_zone !== before.time_zone) await enqueue(tx, ctx, moveMorningsJob, {})
    const shown = presentSettings(ctx, after)
    if (!isDeepStrictEqual(shown, presentSettings(ctx, before)))
      await emit(tx, ctx, actor, workspaceUpdated, {})
    return shown
  })
}
