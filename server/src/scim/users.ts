import { editUser } from '../accounts/edit.js'
import { inviteUser } from '../accounts/invite.js'
import { deleteSessions } from '../oauth/queries.js'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Db, Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { lockUser } from '../users/queries.js'
import { ScimError } from './error.js'
import { applyPatch } from './patch.js'
import { findRemovedId, isUser, listScimUsers, putScimUser, type ScimUserRow } from './queries.js'
import { presentUser, readUser, type WantedUser } from './resources.js'

/** Who asks, and under which address resources are. */
export interface Provider {
  ctx: Context
  actor: Actor
  base: string
}

const missing = (id: string) => new ScimError(404, `there is no user ${id}`)

async function findUser(db: Db, id: string): Promise<ScimUserRow> {
  if (!/^\d{1,15}$/.test(id)) throw missing(id)
  const [row] = await listScimUsers(db, isUser(Number(id)), { offset: 0, limit: 1 })
  if (!row) throw missing(id)
  return row
}

export async function showUser({ ctx, base }: Provider, id: string) {
  return presentUser(base, await findUser(ctx.db, id))
}

/** Suspended people have no sessions: after a reactivation they sign in again. */
async function setActive(tx: Tx, { ctx, actor }: Provider, id: number, active: boolean) {
  await editUser({ ...ctx, tx, db: tx }, actor, id, { suspended: !active })
  if (!active) await deleteSessions(tx, id, { but: null })
}

async function write(tx: Tx, provider: Provider, id: number, wanted: WantedUser) {
  const { ctx, actor } = provider
  const { user_name, external_id, card, active } = wanted
  await editUser({ ...ctx, tx, db: tx }, actor, id, card)
  await putScimUser(tx, { user_id: id, user_name, external_id, removed_at: null })
  if (active !== undefined) await setActive(tx, provider, id, active)
}

/** Somebody new, or somebody whom the provider removed before: they get their account back. */
export function createUser(provider: Provider, body: unknown) {
  const { ctx, actor, base } = provider
  const wanted = readUser(body)
  const { card, user_name } = wanted
  return transaction(ctx, async (tx) => {
    const inner = { ...ctx, tx, db: tx }
    const known = await findRemovedId(tx, user_name, card.email)
    const { role, ...fields } = card
    const input = { ...fields, ...(role && { role: role as 'user' }) }
    const id = known ?? (await inviteUser(inner, actor, input, false)).id
    await lockUser(tx, id)
    await write(tx, provider, id, { ...wanted, active: wanted.active ?? true })
    return presentUser(base, await findUser(tx, String(id)))
  })
}

async function change(provider: Provider, id: string, read: (row: ScimUserRow) => WantedUser) {
  return transaction(provider.ctx, async (tx) => {
    const { id: userId } = await findUser(tx, id)
    await lockUser(tx, userId)
    await write(tx, provider, userId, read(await findUser(tx, id)))
    return presentUser(provider.base, await findUser(tx, id))
  })
}

export async function replaceUser(provider: Provider, id: string, body: unknown) {
  return change(provider, id, () => readUser(body))
}

export function patchUser(provider: Provider, id: string, body: unknown) {
  return change(provider, id, (row) => readUser(applyPatch(presentUser(provider.base, row), body)))
}

/** Suspends, and hides from the provider. Deleting for good takes people out of their chats, which stays a step of the owner. */
export function removeUser(provider: Provider, id: string): Promise<void> {
  const { ctx } = provider
  return transaction(ctx, async (tx) => {
    const row = await findUser(tx, id)
    await lockUser(tx, row.id)
    await setActive(tx, provider, row.id, false)
    const { user_name, external_id } = row
    await putScimUser(tx, { user_id: row.id, user_name, external_id, removed_at: now(ctx.clock) })
  })
}
