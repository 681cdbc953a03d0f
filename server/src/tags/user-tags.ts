import { groupTagCreated } from '@parley/contract'
import { emitJoined, followOut } from '../chats/roster.js'
import { joinByTags, lockRostersOf, type Membership, releasePerson } from '../chats/roster-queries.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'
import { ensureUnconfined } from '../platform/http/leash.js'
import { Problem } from '../platform/problem.js'
import { checkTagName } from './name.js'
import {
  deleteUserTags,
  insertMissingTags,
  insertUserTags,
  listTagIdsByName,
  listTagIdsOfUser,
  lockTaggable,
  lockTags,
} from './queries.js'

/** Gives a person exactly these tags, by name; tags that are not there yet are made, and the person's chats follow. */
export async function setUserTags(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  userId: number,
  names: readonly string[],
) {
  const checked = names.map((name) => checkTagName(name, 'list_tags'))
  const person = await lockTaggable(tx, userId)
  if (!person || person.guest) return
  const wanted = await holdTags(tx, ctx, actor, userId, checked)
  const had = await listTagIdsOfUser(tx, userId)
  const gained = wanted.filter((id) => !had.includes(id))
  const lost = had.filter((id) => !wanted.includes(id))
  // Tags take people into their chats and out of them, all of them.
  if (gained.length + lost.length > 0) ensureUnconfined(ctx, 'a change of somebody’s tags')
  if (gained.length > 0 && person.single_chat)
    throw new Problem(422, 'single_chat_bot_tag_denied', { key: 'group_tags', value: names.join(', ') })
  await changeTags(tx, ctx, actor, userId, gained, lost)
}

/** Holds the tags of these names, and those that the person has. Tags that are missing, or go until they are held, are made. */
async function holdTags(tx: Tx, ctx: Context, actor: Actor, userId: number, names: readonly string[]) {
  for (;;) {
    const found = await listTagIdsByName(tx, names)
    await lockTags(tx, [...found, ...(await listTagIdsOfUser(tx, userId))])
    const held = await listTagIdsByName(tx, names)
    if ((await makeTags(tx, ctx, actor, names)) === 0 && held.every((id) => found.includes(id))) return held
  }
}

/** Makes the tags that are missing; says how many. */
async function makeTags(tx: Tx, ctx: Context, actor: Actor, names: readonly string[]): Promise<number> {
  const made = await insertMissingTags(tx, names, now(ctx.clock))
  const records = made.map(({ id, name }) => ({
    event_key: 'tag_created',
    entity_type: 'GroupTag',
    entity_id: id,
    details: { name },
  }))
  await record(tx, ctx, actor, records)
  for (const { id, name } of made) await emit(tx, ctx, actor, groupTagCreated, { id, name })
  return made.length
}

async function changeTags(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  userId: number,
  gained: readonly number[],
  lost: readonly number[],
) {
  if (gained.length > 0) await insertUserTags(tx, userId, gained)
  if (lost.length > 0) await deleteUserTags(tx, userId, lost)
  await lockRostersOf(tx, [userId], [...gained, ...lost])
  const about = (event_key: string) => (id: number) => ({
    event_key,
    entity_type: 'GroupTag',
    entity_id: id,
    actor_id: userId,
    details: { initiator_id: actor.user_id },
  })
  await record(tx, ctx, actor, gained.map(about('user_added_to_tag')))
  await record(tx, ctx, actor, lost.map(about('user_removed_from_tag')))
  // First in, then out: a chat that both tags lead to is not left in between.
  const joined = await joinByTags(tx, ctx, actor, { user_id: userId, tag_ids: gained })
  const left = await releasePerson(tx, userId, lost)
  await tellEach(tx, ctx, actor, joined, emitJoined)
  await tellEach(tx, ctx, actor, left, followOut)
}

async function tellEach(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  memberships: readonly Membership[],
  tell: typeof emitJoined,
) {
  for (const { chat_id: id, user_id } of memberships)
    await tell(tx, ctx, actor, { id, thread_id: null, parent_chat_id: null }, [user_id])
}
