import {
  companyMembersActivated,
  companyMembersSuspended,
  companyMembersUpdated,
  recountMembersJob,
  type User,
  type UserUpdateRequest,
} from '@parley/contract'
import type { Updateable } from 'kysely'
import { IANAZone } from 'luxon'
import { listDefinitions, writeValues } from '../custom-properties/queries.js'
import { checkValues } from '../custom-properties/values.js'
import { JOINED_BY_THEN_MS } from '../members/leave-everything.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import type { DB, Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { BLANK, ZONE } from '../platform/http/fault-text.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { setUserTags } from '../tags/user-tags.js'
import { emitMembersEvent } from '../users/emit.js'
import { checkBotNickname, cleanEmail, cleanNickname } from '../users/names.js'
import { loadUsers } from '../users/present.js'
import {
  findBotSettings,
  isNicknameTaken,
  listTagNames,
  lockUser,
  type UserRow,
  updateUser,
} from '../users/queries.js'
import { isLicensed, mayEdit, mayTakeRole, roleAfter } from '../users/rules.js'
import { findInvite } from './invite-queries.js'
import { makeInvite } from './invites.js'
import { ensureLicences } from './licences.js'

export type UserChange = Omit<UserUpdateRequest['user'], 'list_tags' | 'role'> & {
  list_tags?: string[]
  role?: unknown
}

/** Changes what was passed of a person or a bot, and nothing else. */
export function editUser(ctx: Context, actor: Actor, userId: number, input: UserChange): Promise<User> {
  return transaction(ctx, async (tx) => {
    const user = found(await lockUser(tx, userId), { key: 'id', value: userId })
    const about = { type: 'User', id: user.id }
    ensure(mayEdit(actor, user), 'update', about)
    ensure(mayTakeRole(user, input.role), 'update_role', about)
    if (input.suspended && user.id === actor.user_id)
      throw new Problem(422, 'self_update', { key: 'suspended', value: true, ...suspendingOwner(user) })
    if (input.custom_properties) checkValues(await listDefinitions(tx, 'User'), input.custom_properties)
    const tags = user.role === 'guest' ? undefined : input.list_tags
    if (user.bot) await checkBot(tx, user, input, tags)

    const changes = changesOf(user, input)
    await write(tx, user, changes)
    await endInvite(tx, ctx, user, changes)
    const changed = Object.keys(changes)
    if (input.custom_properties && (await writeValues(tx, 'User', user.id, input.custom_properties)))
      changed.push('custom_properties')
    const retagged = tags !== undefined && (await retag(tx, ctx, actor, user.id, tags))
    await tell(tx, ctx, actor, user, changes, changed, retagged)
    const [card] = await loadUsers({ ...ctx, db: tx }, actor, [user.id])
    return found(card)
  })
}

/** Nobody else may do it either: an operator at the command line and a directory act as the owner. */
function suspendingOwner({ role }: UserRow) {
  return role === 'owner' ? { message: 'cannot be true: the owner is never suspended' } : {}
}

type Changes = Updateable<DB['users']>

/** The columns that become different. */
function changesOf(user: UserRow, input: UserChange): Changes {
  const optional = (value: string | undefined) => (value === undefined ? undefined : value.trim() || null)
  const wanted: Changes = {
    first_name: input.first_name === undefined ? undefined : firstName(input.first_name),
    last_name: optional(input.last_name),
    email: input.email === undefined || user.bot ? undefined : cleanEmail(input.email),
    phone_number: optional(input.phone_number),
    nickname: nicknameAfter(user, input.nickname),
    department: optional(input.department),
    title: optional(input.title),
    time_zone: input.time_zone === undefined ? undefined : zoneOf(input.time_zone),
    role: roleAfter(user, input.role),
    suspended: input.suspended,
  }
  const differs = ([name, value]: [string, unknown]) =>
    value !== undefined && value !== user[name as keyof UserRow]
  return Object.fromEntries(Object.entries(wanted).filter(differs))
}

function zoneOf(given: string): string | null {
  if (given !== '' && !IANAZone.isValidZone(given))
    throw new Problem(422, 'invalid', { key: 'time_zone', value: given, message: ZONE })
  return given || null
}

function firstName(given: string): string {
  if (given.trim() === '')
    throw new Problem(422, 'blank', { key: 'first_name', value: given, message: BLANK })
  return given.trim()
}

/** A nickname is looked at only where it changes. */
function nicknameAfter(user: UserRow, given: string | undefined): string | undefined {
  if (given === undefined || given.trim() === user.nickname) return undefined
  return user.bot ? given.trim() : cleanNickname(given)
}

/** What a bot may not be given here: a nickname of another form or of another, and tags where it has one chat. */
async function checkBot(tx: Tx, bot: UserRow, input: UserChange, tags: string[] | undefined) {
  const nickname = nicknameAfter(bot, input.nickname)
  if (nickname !== undefined) {
    checkBotNickname(nickname)
    if (await isNicknameTaken(tx, nickname, bot.id))
      throw new Problem(422, 'already_exists', {
        key: 'nickname',
        value: nickname,
        message: 'somebody else has this nickname: choose another',
      })
  }
  if (!tags || !(await findBotSettings(tx, bot.id))?.single_chat) return
  const has = new Set((await listTagNames(tx, bot.id)).map((name) => name.toLowerCase()))
  const added = tags.filter((name) => !has.has(name.toLowerCase()))
  if (added.length > 0)
    throw new Problem(422, 'single_chat_bot_tag_denied', { key: 'group_tags', value: added.join(', ') })
}

async function write(tx: Tx, user: UserRow, changes: Changes) {
  if (Object.keys(changes).length === 0) return
  const after = await updateUser(tx, user.id, changes)
  if (!isLicensed(user) && isLicensed(after)) await ensureLicences(tx)
}

/** Whoever got a letter at the mail of before is somebody else: their link ends, and a new one waits to be sent. */
async function endInvite(tx: Tx, ctx: Context, { id, email }: UserRow, changes: Changes) {
  if (!changes.email || changes.email.toLowerCase() === email?.toLowerCase()) return
  if (await findInvite(tx, id)) await makeInvite(tx, ctx, id)
}

async function retag(tx: Tx, ctx: Context, actor: Actor, userId: number, tags: string[]): Promise<boolean> {
  const before = await listTagNames(tx, userId)
  await setUserTags(tx, ctx, actor, userId, tags)
  const after = await listTagNames(tx, userId)
  return before.join('\n') !== after.join('\n')
}

async function tell(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  user: UserRow,
  changes: Changes,
  changed: string[],
  retagged: boolean,
) {
  const entity = { entity_type: 'User', entity_id: user.id }
  const { role, suspended } = changes
  // A new role has a record of its own, and so have tags.
  const changed_attrs = changed.filter((name) => name !== 'role')
  if (changed_attrs.length > 0)
    await record(tx, ctx, actor, { event_key: 'user_updated', ...entity, details: { changed_attrs } })
  if (role) {
    const roles = { new_company_role: role, previous_company_role: user.role }
    const details = { ...roles, initiator_id: actor.user_id }
    await record(tx, ctx, actor, { event_key: 'user_role_changed', ...entity, details })
  }
  if (retagged || changed.some((name) => name !== 'suspended'))
    await emitMembersEvent(tx, ctx, actor, companyMembersUpdated, [user.id])
  if (suspended === undefined) return
  const type = suspended ? companyMembersSuspended : companyMembersActivated
  await emitMembersEvent(tx, ctx, actor, type, [user.id])
  const run_at = new Date(ctx.clock.now() + JOINED_BY_THEN_MS)
  await enqueue(tx, ctx, recountMembersJob, { user_id: user.id }, { run_at })
}
