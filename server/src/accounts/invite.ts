import { companyMembersInvited, type User, type UserCreateRequest } from '@parley/contract'
import type { Insertable } from 'kysely'
import { listDefinitions, writeValues } from '../custom-properties/queries.js'
import { checkValues } from '../custom-properties/values.js'
import { joinChats, listJoinableFor } from '../members/join-chats.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { DB, Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { found, Problem } from '../platform/problem.js'
import { setUserTags } from '../tags/user-tags.js'
import { emitMembersEvent } from '../users/emit.js'
import { cleanEmail, cleanNickname, distinct, isReserved, nicknameFromEmail } from '../users/names.js'
import { loadUsers } from '../users/present.js'
import { insertUser, type UserRow } from '../users/queries.js'
import { isLicensed } from '../users/rules.js'
import { mailInvite, makeInvite } from './invites.js'
import { ensureLicences } from './licences.js'

export type NewUser = Omit<UserCreateRequest['user'], 'list_tags'> & { list_tags?: string[] }

/** Makes an employee or a guest who has still to accept; the letter goes out after the commit. */
export function inviteUser(ctx: Context, actor: Actor, input: NewUser, letter: boolean): Promise<User> {
  const email = cleanEmail(input.email)
  const nickname = chosenNickname(input.nickname, email)
  return transaction(ctx, async (tx) => {
    const chatIds = await chatsFor(tx, actor, input)
    if (input.custom_properties) checkValues(await listDefinitions(tx, 'User'), input.custom_properties)

    const user = await insertInvited(tx, rowOf(ctx, actor, input, email), nickname)
    if (isLicensed(user)) await ensureLicences(tx)
    if (input.custom_properties) await writeValues(tx, 'User', user.id, input.custom_properties)
    await record(tx, ctx, actor, { event_key: 'user_created', entity_type: 'User', entity_id: user.id })
    if (input.list_tags?.length && user.role !== 'guest')
      await setUserTags(tx, ctx, actor, user.id, input.list_tags)
    await joinChats(tx, ctx, actor, user, chatIds)

    const invite = await makeInvite(tx, ctx, user.id)
    if (letter) await mailInvite(tx, ctx, invite, actor.user_id)
    await emitMembersEvent(tx, ctx, actor, companyMembersInvited, [user.id])
    const [card] = await loadUsers({ ...ctx, db: tx }, actor, [user.id])
    return found(card)
  })
}

export function chosenNickname(given: string | undefined, email: string): string {
  if (given?.trim()) return cleanNickname(given)
  const nickname = nicknameFromEmail(email)
  return isReserved(nickname) ? distinct(nickname) : nickname
}

/** The chats to join. A guest lives in exactly one; others come into every one that is named, or into none. */
async function chatsFor(tx: Tx, actor: Actor, { role, chat_ids = [] }: NewUser): Promise<number[]> {
  const wanted = [...new Set(chat_ids)]
  const joinable = wanted.length > 0 ? await listJoinableFor(tx, actor, wanted) : []
  if (role === 'guest') {
    if (wanted.length === 1 && joinable.length === 1) return joinable
    throw new Problem(400, 'invalid', {
      key: 'chat_ids',
      value: chat_ids,
      message: 'a guest is invited to exactly one chat, to which you may add people',
    })
  }
  const closed = wanted.filter((id) => !joinable.includes(id))
  if (closed.length > 0)
    throw new Problem(422, 'not_found', {
      key: 'chat_ids',
      value: closed,
      message: 'there are no such chats, or you may not add people to them',
    })
  return joinable
}

export type NewRow = Omit<Insertable<DB['users']>, 'nickname'>

function rowOf(ctx: Context, actor: Actor, input: NewUser, email: string): NewRow {
  const text = (value: string | undefined) => value?.trim() || null
  return {
    email,
    role: input.role ?? 'user',
    first_name: text(input.first_name),
    last_name: text(input.last_name),
    phone_number: text(input.phone_number),
    department: text(input.department),
    title: text(input.title),
    suspended: input.suspended ?? false,
    invite_status: 'sent',
    inviter_id: actor.user_id,
    created_at: now(ctx.clock),
  }
}

/** A nickname that is taken gets random characters, until it is free. */
export async function insertInvited(tx: Tx, row: NewRow, wanted: string): Promise<UserRow> {
  for (let nickname = wanted; ; nickname = distinct(wanted)) {
    const user = await insertUser(tx, { ...row, nickname })
    if (user) return user
  }
}
