import { lockRostersOf } from '../chats/roster-queries.js'
import type { Context } from '../platform/context.js'
import type { Db, Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { createTag, deleteTag, renameTag } from '../tags/actions.js'
import { lockTagsOf } from '../tags/queries.js'
import { setUserTags } from '../tags/user-tags.js'
import { listTagNames, lockUser } from '../users/queries.js'
import { invalidValue, ScimError } from './error.js'
import { applyPatch } from './patch.js'
import { countScimUsers, isTag, isUser, listScimGroups, putScimGroup, type ScimGroupRow } from './queries.js'
import { presentGroup, readGroup, type WantedGroup } from './resources.js'
import type { Provider } from './users.js'

const missing = (id: string) => new ScimError(404, `there is no group ${id}`)

async function findGroup(db: Db, id: string): Promise<ScimGroupRow> {
  if (!/^\d{1,15}$/.test(id)) throw missing(id)
  const [row] = await listScimGroups(db, isTag(Number(id)), { offset: 0, limit: 1, members: true })
  if (!row) throw missing(id)
  return row
}

export async function showGroup({ ctx, base }: Provider, id: string, members: boolean) {
  return presentGroup(base, await findGroup(ctx.db, id), members)
}

async function ensureKnown(tx: Tx, ids: readonly number[]) {
  if ((await countScimUsers(tx, isUser(...ids))) !== ids.length)
    throw invalidValue('members: not all of them are users')
}

const missingFrom = (ids: readonly number[], all: readonly number[]) => ids.filter((id) => !all.includes(id))

const membersOf = ({ members }: ScimGroupRow) => members.map(({ value }) => Number(value))

/**
 * Holds the people who come and go, by their ids, then all their tags, and then the counts of their chats, so that two such
 * calls do not wait for each other. Gives the group as it is from then on.
 */
async function hold(tx: Tx, group: ScimGroupRow, ids: readonly number[]) {
  const had = membersOf(group)
  const changed = [...missingFrom(ids, had), ...missingFrom(had, ids)].sort((one, other) => one - other)
  for (const id of changed) await lockUser(tx, id)
  await lockTagsOf(tx, group.id, changed)
  await lockRostersOf(tx, changed, [group.id])
  return findGroup(tx, String(group.id))
}

/** Gives the tag to those who come, and takes it from those who go. */
async function setMembers(tx: Tx, { ctx, actor }: Provider, known: ScimGroupRow, ids: readonly number[]) {
  const group = await hold(tx, known, ids)
  await ensureKnown(tx, ids)
  const had = membersOf(group)
  const gained = missingFrom(ids, had)
  for (const id of [...gained, ...missingFrom(had, ids)].sort((one, other) => one - other)) {
    const others = (await listTagNames(tx, id)).filter(
      (name) => name.toLowerCase() !== group.name.toLowerCase(),
    )
    await setUserTags(tx, ctx, actor, id, gained.includes(id) ? [...others, group.name] : others)
  }
}

const inside = (ctx: Context, tx: Tx): Context => ({ ...ctx, tx, db: tx })

async function write(tx: Tx, provider: Provider, id: string, wanted: WantedGroup, whole: boolean) {
  const group = await findGroup(tx, id)
  const member_ids = wanted.member_ids ?? (whole ? [] : undefined)
  if (member_ids) await setMembers(tx, provider, group, member_ids)
  await putScimGroup(tx, { tag_id: group.id, external_id: wanted.external_id })
  if (group.name !== wanted.name)
    await renameTag(inside(provider.ctx, tx), provider.actor, group.id, wanted.name)
  return presentGroup(provider.base, await findGroup(tx, id), true)
}

export async function createGroup(provider: Provider, body: unknown) {
  const { ctx, actor } = provider
  const wanted = readGroup(body)
  return transaction(ctx, async (tx) => {
    const { id } = await createTag(inside(ctx, tx), actor, wanted.name)
    return write(tx, provider, String(id), wanted, false)
  })
}

export async function replaceGroup(provider: Provider, id: string, body: unknown) {
  const wanted = readGroup(body)
  return transaction(provider.ctx, (tx) => write(tx, provider, id, wanted, true))
}

export function patchGroup(provider: Provider, id: string, body: unknown) {
  return transaction(provider.ctx, async (tx) => {
    const row = await findGroup(tx, id)
    const members = row.members.map(({ value }) => ({ value }))
    const resource = { ...presentGroup(provider.base, row, false), members }
    return write(tx, provider, id, readGroup(applyPatch(resource, body)), true)
  })
}

export async function removeGroup({ ctx, actor }: Provider, id: string): Promise<void> {
  const { id: tagId } = await findGroup(ctx.db, id)
  await deleteTag(ctx, actor, tagId)
}
