import type { Passkey, SecondFactor } from '@parley/contract'
import { readWorkspace } from '../company/queries.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { BLANK } from '../platform/http/fault-text.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { lockUser } from '../users/queries.js'
import { mayEdit } from '../users/rules.js'
import { ensureConfirmed } from './confirm.js'
import { arePasskeysPossible, keepPasskey, offerPasskey } from './passkeys.js'
import { makeRecoveryCodes } from './recovery-codes.js'
import {
  confirmTotpRow,
  deletePasskey,
  deleteTotp,
  findFactors,
  findTotp,
  listPasskeysOf,
  type PasskeyRow,
  replaceRecoveryCodes,
} from './second-factor-queries.js'
import { makeTotp, takeCode } from './totp.js'

function presentPasskey({ id, name, created_at, last_used_at }: PasskeyRow): Passkey {
  return {
    id,
    name,
    created_at: created_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
  }
}

export async function showSecondFactor(ctx: Context, actor: Actor): Promise<SecondFactor> {
  const { totp, recovery_codes } = await findFactors(ctx.db, actor.user_id)
  const { second_factor } = await readWorkspace(ctx.db)
  return {
    required: second_factor === 'required',
    totp,
    passkeys: (await listPasskeysOf(ctx.db, actor.user_id)).map(presentPasskey),
    passkeys_possible: arePasskeysPossible(ctx),
    recovery_codes_left: recovery_codes,
  }
}

function recordChange(tx: Tx, ctx: Context, actor: Actor, userId: number) {
  const details = { changed_attrs: ['second_factor'] }
  return record(tx, ctx, actor, {
    event_key: 'user_updated',
    entity_type: 'User',
    entity_id: userId,
    details,
  })
}

export async function startTotp(ctx: Context, actor: Actor, password: string | undefined) {
  const user = await ensureConfirmed(ctx, actor, password)
  return transaction(ctx, async (tx) => {
    await lockUser(tx, user.id)
    if ((await findTotp(tx, user.id))?.confirmed_at)
      throw new Problem(409, 'already_exists', { key: 'totp', message: 'is set up already: remove it first' })
    return makeTotp(tx, ctx, user, (await readWorkspace(tx)).name)
  })
}

/** Whoever gets the first factor gets the codes for the day it is lost. */
async function codesForFirst(tx: Tx, userId: number): Promise<string[]> {
  const { totp, passkeys } = await findFactors(tx, userId)
  return Number(totp) + passkeys === 1 ? makeRecoveryCodes(tx, userId) : []
}

export function confirmTotp(ctx: Context, actor: Actor, code: string) {
  return transaction(ctx, async (tx) => {
    await lockUser(tx, actor.user_id)
    const row = await findTotp(tx, actor.user_id)
    if (!row || row.confirmed_at)
      throw new Problem(404, 'not_found', {
        key: 'totp',
        message: 'nothing waits for a code: begin the setup first',
      })
    const fits = await takeCode(tx, ctx, actor.user_id, code.replaceAll(/\s/g, ''))
    if (!fits)
      throw new Problem(422, 'invalid', {
        key: 'code',
        value: code,
        message: 'is not the code of this moment',
      })
    await confirmTotpRow(tx, actor.user_id, now(ctx.clock))
    await recordChange(tx, ctx, actor, actor.user_id)
    return { recovery_codes: await codesForFirst(tx, actor.user_id) }
  })
}

export async function startPasskey(ctx: Context, actor: Actor, password: string | undefined) {
  const user = await ensureConfirmed(ctx, actor, password)
  return transaction(ctx, async (tx) => ({
    ...(await offerPasskey(tx, ctx, user, (await readWorkspace(tx)).name)),
  }))
}

export async function addPasskey(ctx: Context, actor: Actor, input: { name: string; answer: unknown }) {
  const name = input.name.trim()
  if (name === '') throw new Problem(422, 'blank', { key: 'name', value: input.name, message: BLANK })
  const added = await transaction(ctx, async (tx) => {
    await lockUser(tx, actor.user_id)
    const row = await keepPasskey(tx, ctx, actor.user_id, { name, answer: input.answer })
    if (!row) return undefined
    await recordChange(tx, ctx, actor, actor.user_id)
    return { passkey: presentPasskey(row), recovery_codes: await codesForFirst(tx, actor.user_id) }
  })
  // Refused after the commit: a challenge that was answered wrongly is used up.
  if (!added)
    throw new Problem(422, 'invalid', {
      key: 'answer',
      message: 'is no answer to the question that was asked: ask again',
    })
  return added
}

/** Recovery codes are valid only with a factor that they can replace. */
async function settleRemoval(tx: Tx, ctx: Context, actor: Actor, userId: number) {
  const { totp, passkeys } = await findFactors(tx, userId)
  if (totp || passkeys > 0) return recordChange(tx, ctx, actor, userId)
  await replaceRecoveryCodes(tx, userId, [])
  await record(tx, ctx, actor, { event_key: 'user_2fa_disabled', entity_type: 'User', entity_id: userId })
}

export async function removeTotp(ctx: Context, actor: Actor, password: string | undefined): Promise<void> {
  await ensureConfirmed(ctx, actor, password)
  await transaction(ctx, async (tx) => {
    await lockUser(tx, actor.user_id)
    if (!(await findTotp(tx, actor.user_id))?.confirmed_at)
      throw new Problem(404, 'not_found', { key: 'totp', message: 'no code is set up' })
    await deleteTotp(tx, actor.user_id)
    await settleRemoval(tx, ctx, actor, actor.user_id)
  })
}

export async function removePasskey(
  ctx: Context,
  actor: Actor,
  id: number,
  password: string | undefined,
): Promise<void> {
  await ensureConfirmed(ctx, actor, password)
  await transaction(ctx, async (tx) => {
    await lockUser(tx, actor.user_id)
    found(await deletePasskey(tx, actor.user_id, id), { key: 'id', value: id })
    await settleRemoval(tx, ctx, actor, actor.user_id)
  })
}

export async function renewRecoveryCodes(ctx: Context, actor: Actor, password: string | undefined) {
  await ensureConfirmed(ctx, actor, password)
  return transaction(ctx, async (tx) => {
    await lockUser(tx, actor.user_id)
    const { totp, passkeys } = await findFactors(tx, actor.user_id)
    if (!totp && passkeys === 0)
      throw new Problem(404, 'not_found', { key: 'second_factor', message: 'no second factor is set up' })
    await recordChange(tx, ctx, actor, actor.user_id)
    return { recovery_codes: await makeRecoveryCodes(tx, actor.user_id) }
  })
}

/** Takes every factor of somebody away. */
async function clearFactors(tx: Tx, ctx: Context, actor: Actor, userId: number) {
  await deleteTotp(tx, userId)
  for (const { id } of await listPasskeysOf(tx, userId)) await deletePasskey(tx, userId, id)
  await settleRemoval(tx, ctx, actor, userId)
}

export function resetSecondFactor(ctx: Context, actor: Actor, userId: number): Promise<void> {
  return transaction(ctx, async (tx) => {
    const user = found(await lockUser(tx, userId), { key: 'id', value: userId })
    ensure(mayEdit(actor, user), 'update', { type: 'User', id: user.id })
    const { totp, passkeys } = await findFactors(tx, userId)
    if (!totp && passkeys === 0)
      throw new Problem(404, 'not_found', { key: 'second_factor', message: 'no second factor is set up' })
    await clearFactors(tx, ctx, actor, userId)
  })
}
