import { randomBytes } from 'node:crypto'
import type { Role } from '@parley/contract'
import { insertMembers } from '../chats/member-queries.js'
import { issueToken, scopesOf } from '../oauth/tokens.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { found, Problem } from '../platform/problem.js'
import { checkEmail } from '../users/names.js'
import { insertUser } from '../users/queries.js'
import { findChat, findHolder } from './queries.js'

export interface NewSandboxPerson {
  role?: 'user' | 'admin' | 'multi_guest' | 'guest'
  first_name?: string
  nickname?: string
  email?: string
  suspended?: boolean
  chat_id?: number
}

async function insertPerson(tx: Tx, ctx: Context, person: NewSandboxPerson) {
  const nickname = person.nickname ?? `person_${randomBytes(4).toString('hex')}`
  const user = await insertUser(tx, {
    role: person.role ?? 'user',
    first_name: person.first_name ?? nickname,
    nickname,
    email: person.email === undefined ? `${nickname}@sandbox.local` : checkEmail(person.email.trim()),
    suspended: person.suspended ?? false,
    created_at: now(ctx.clock),
  })
  if (!user)
    throw new Problem(409, 'already_exists', {
      key: 'nickname',
      value: nickname,
      message: 'somebody else has this nickname: choose another',
    })
  return user
}

async function seat(tx: Tx, ctx: Context, chatId: number, userId: number) {
  found(await findChat(tx, chatId), { key: 'chat_id', value: chatId })
  await insertMembers(tx, chatId, [userId], { role: 'member', joined_at: now(ctx.clock) })
}

/** A confirmed person with a token that holds every scope of the role. */
export function makePerson(ctx: Context, person: NewSandboxPerson) {
  return transaction(ctx, async (tx) => {
    const user = await insertPerson(tx, ctx, person)
    if (person.chat_id !== undefined) await seat(tx, ctx, person.chat_id, user.id)
    const scopes = user.role === 'guest' ? [] : scopesOf(user.role as Role)
    const token = await issueToken(tx, ctx, { user_id: user.id, kind: 'personal', scopes, name: 'Sandbox' })
    return { id: user.id, token: token.value }
  })
}

/** A token of somebody who is there: chosen scopes, or the login of the web client. */
export function makeToken(ctx: Context, wanted: { user_id: number; scopes?: string[]; session?: boolean }) {
  return transaction(ctx, async (tx) => {
    const { id, role, bot } = found(await findHolder(tx, wanted.user_id), {
      key: 'user_id',
      value: wanted.user_id,
    })
    if (bot && wanted.session) throw new Problem(400, 'invalid', { key: 'session', message: 'is for people' })
    const all = role === 'guest' ? [] : scopesOf(bot ? 'bot' : (role as Role))
    const scopes = wanted.scopes ?? all
    const kind = wanted.session ? 'session' : bot ? 'bot' : 'personal'
    const token = await issueToken(tx, ctx, { user_id: id, kind, scopes, name: 'Sandbox' })
    return { id: token.id, token: token.value, scopes: [...scopes] }
  })
}
