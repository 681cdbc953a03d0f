import { companyMembersUpdated } from '@parley/contract'
import { lockRostersOf } from '../chats/roster-queries.js'
import type { Context } from '../platform/context.js'
import type { Db, Tx } from '../platform/db/index.js'
import { rollBackTo, setSavepoint } from '../platform/db/savepoint-queries.js'
import { transaction } from '../platform/db/transaction.js'
import { createTag, deleteTag, renameTag } from '../tags/actions.js'
import { lockTagsOf } from '../tags/queries.js'
import { setUserTags } from '../tags/user-tags.js'
import { emitMembersEvent } from '../users/emit.js'
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

function missingFrom(ids: readonly number[], all: readonly number[]): number[] {
  const known = new Set(all)
  return ids.filter((id) => !known.has(id))
}

const membersOf = ({ members }: ScimGroupRow) => members.map(({ value }) => Number(value))

/** What is asked for of a group, as it is. */
type Wish = (group: ScimGroupRow) => WantedGroup

/** Who comes into a group and who goes, in the order of their ids. */
function changesOf(group: ScimGroupRow, { member_ids }: WantedGroup): number[] {
  const had = membersOf(group)
  const ids = member_ids ?? had
  return [...missingFrom(ids, had), ...missingFrom(had, ids)].sort((one, other) => one - other)
}

/**
 * Holds the people who come and go, by their ids, then all their tags, and then the counts of their chats, so that two such
 * calls do not wait for each other. Where the group changed meanwhile all is let go, and held anew with those who then come and go.
 */
async function hold(tx: Tx, group: ScimGroupRow, wish: Wish): Promise<ScimGroupRow> {
  for (let known = group; ; ) {
    const changed = changesOf(known, wish(known))
    await setSavepoint(tx, 'members')
    for (const id of changed) await lockUser(tx, id)
    await lockTagsOf(tx, group.id, changed)
    await lockRostersOf(tx, changed, [group.id])
    known = await findGroup(tx, String(group.id))
    if (missingFrom(changesOf(known, wish(known)), changed).length === 0) return known
    await rollBackTo(tx, 'members')
  }
}

/** Gives the tag to those who come, and takes it from those who go. */
async function setMembers(tx: Tx, { ctx, actor }: Provider, group: ScimGroupRow, wanted: WantedGroup) {
  const ids = wanted.member_ids ?? membersOf(group)
  const changed = changesOf(group, wanted)
  const stays = new Set(ids)
  await ensureKnown(tx, ids)
  for (const id of changed) {
    const others = (await listTagNames(tx, id)).filter(
      (name) => name.toLowerCase() !== group.name.toLowerCase(),
    )
    await setUserTags(tx, ctx, actor, id, stays.has(id) ? [...others, group.name] : others)
  }
  if (changed.length > 0) await emitMembersEvent(tx, ctx, actor, companyMembersUpdated, changed)
}

const inside = (ctx: Context, tx: Tx): Context => ({ ...ctx, tx, db: tx })

async function write(tx: Tx, provider: Provider, id: string, wish: Wish) {
  const group = await hold(tx, await findGroup(tx, id), wish)
  const wanted = wish(group)
  await setMembers(tx, provider, group, wanted)
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
    return write(tx, provider, String(id), () => wanted)
  })
}

/** A group that is written whole has the members that are named, and no others. */
const whole = (wanted: WantedGroup): WantedGroup => ({ ...wanted, member_ids: wanted.member_ids ?? [] })

export async function replaceGroup(provider: Provider, id: string, body: unknown) {
  const wanted = whole(readGroup(body))
  return transaction(provider.ctx, (tx) => write(tx, provider, id, () => wanted))
}

export function patchGroup(provider: Provider, id: string, body: unknown) {
  const patched = (group: ScimGroupRow) => {
    const members = group.members.map(({ value }) => ({ value }))
    return whole(readGroup(applyPatch({ ...presentGroup(provider.base, group, false), members }, body)))
  }
  return transaction(provider.ctx, (tx) => write(tx, provider, id, patched))
}

export async function removeGroup({ ctx, actor }: Provider, id: string): Promise<void> {
  const { id: tagId } = await findGroup(ctx.db, id)
  await deleteTag(ctx, actor, tagId)
}
