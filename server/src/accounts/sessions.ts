import { createHash } from 'node:crypto'
import type { CurrentSession, NewSession, Role } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { readWorkspace } from '../company/queries.js'
import { deleteSessions, deleteToken } from '../oauth/queries.js'
import { issueToken, scopesOf } from '../oauth/tokens.js'
import { type Actor, actingFor, isAdmin } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { bucketsFor, SESSION_MS, takeRate } from '../platform/http/admit.js'
import { found, OAuthProblem, Problem } from '../platform/problem.js'
import { loadUsers } from '../users/present.js'
import { findAccount, findUserFor, lockUser, type UserRow, updateUser } from '../users/queries.js'
import { hasSecondFactor, offerMethods, type Proof, passesSecondFactor } from './prove.js'
import { findSession } from './session-queries.js'

/** A session with its token, which is kept nowhere else. */
export type OpenedSession = NewSession & { token: string }

/** From where somebody without a token asks. */
export type Caller = Pick<Actor, 'ip_address' | 'user_agent'>

export function callerOf(request: FastifyRequest): Caller {
  return { ip_address: request.ip, user_agent: request.headers['user-agent']?.slice(0, 255) ?? null }
}

interface Credentials {
  email: string
  password: string
}

const PASSWORDS_OFF = 'the workspace accepts no passwords: sign in through an identity provider'

/** Refuses where people sign in through identity providers alone. */
export async function ensurePasswords(ctx: Pick<Context, 'db'>) {
  if ((await readWorkspace(ctx.db)).password_sign_in === 'off')
    throw new Problem(403, 'not_authorized', { message: PASSWORDS_OFF })
}

/** The account that mail and password fit. */
async function accountOf(ctx: Context, input: Credentials) {
  await ensurePasswords(ctx)
  const email = input.email.trim()
  await takeGuess(ctx, email)
  const account = await findAccount(ctx.db, email)
  if (!(await ctx.passwords.matches(input.password, account?.password_hash ?? null)) || !account)
    throw new OAuthProblem(401, 'invalid_grant', 'Mail or password is wrong')
  return account
}

export async function signInWithPassword(
  ctx: Context,
  caller: Caller,
  input: Credentials & Proof,
): Promise<OpenedSession> {
  const account = await accountOf(ctx, input)
  const raised = await raisedHash(ctx, input.password, account.password_hash)
  const opened = await transaction(ctx, async (tx) => {
    const user = found(await lockUser(tx, account.id))
    if (!(await passesSecondFactor(tx, ctx, caller, user, input))) return undefined
    if (raised && user.password_hash === account.password_hash)
      await updateUser(tx, user.id, { password_hash: raised })
    return openSession(tx, ctx, caller, user)
  })
  if (!opened) throw new OAuthProblem(401, 'invalid_second_factor', 'The second factor does not fit')
  return opened
}

/** How an account whose mail and password are known proves the sign-in. */
export async function beginSecondFactor(ctx: Context, input: Credentials) {
  const { id } = await accountOf(ctx, input)
  return transaction(ctx, (tx) => offerMethods(tx, ctx, id))
}

/** Counted by the account too, whether it exists or not: guesses may come from many addresses. */
async function takeGuess(ctx: Context, email: string): Promise<void> {
  const account = createHash('sha256').update(email.toLowerCase()).digest('base64url')
  await takeRate(ctx, bucketsFor('sign-in-account', { account }))
}

/** The password at the cost of today, where its hash was made at an older one. */
async function raisedHash(
  ctx: Context,
  password: string,
  stored: string | null,
): Promise<string | undefined> {
  return stored !== null && ctx.passwords.isOutdated(stored) ? ctx.passwords.hash(password) : undefined
}

function roleOf({ role }: UserRow): Role {
  return role === 'guest' ? 'multi_guest' : (role as Role)
}

const SUSPENDED = 'the account is suspended: ask an admin of the workspace'

export async function openSession(
  tx: Tx,
  ctx: Context,
  caller: Caller,
  user: UserRow,
): Promise<OpenedSession> {
  return (await startSession(tx, ctx, caller, user)).session
}

/** Starts a session, and says which token it is; those who are suspended get none. */
export async function startSession(
  tx: Tx,
  ctx: Context,
  caller: Caller,
  user: UserRow,
): Promise<{ token_id: number; session: OpenedSession }> {
  if (user.suspended) throw new Problem(403, 'access_denied', { message: SUSPENDED })
  const { plan } = await readWorkspace(tx)
  const actor = { ...actingFor(user.id, roleOf(user), plan as Actor['plan']), ...caller }
  const expires_at = new Date(ctx.clock.now() + SESSION_MS)
  const { id, value } = await issueToken(tx, ctx, {
    user_id: user.id,
    kind: 'session',
    scopes: [],
    expires_at,
    caller,
  })
  const last_activity_at = now(ctx.clock)
  await updateUser(tx, user.id, { last_activity_at })
  await record(tx, ctx, actor, { event_key: 'user_login', entity_type: 'User', entity_id: user.id })
  const [card] = await loadUsers({ ...ctx, db: tx }, actor, [user.id])
  return {
    token_id: id,
    session: { token: value, expires_at: expires_at.toISOString(), user: found(card) },
  }
}

export function closeSession(ctx: Context, actor: Actor): Promise<void> {
  return transaction(ctx, async (tx) => {
    await deleteToken(tx, actor.token_id as number)
    await record(tx, ctx, actor, {
      event_key: 'user_logout',
      entity_type: 'User',
      entity_id: actor.user_id,
    })
  })
}

/** The workspace, and the role of a person as it is kept. */
export interface WorkspaceRow {
  role: string
  name: string
  time_zone: string
  plan: string
  integrations: string
  personal_tokens: string
}

/** The workspace as a person sees it. */
export function presentWorkspace(actor: Actor, row: WorkspaceRow): CurrentSession['workspace'] {
  const open = (setting: string) => setting === 'all' || isAdmin(actor)
  return {
    name: row.name,
    time_zone: row.time_zone,
    plan: row.plan as Actor['plan'],
    may_create_integrations: open(row.integrations) && actor.role !== 'multi_guest',
    may_create_personal_tokens: open(row.personal_tokens) && row.role !== 'guest',
  }
}

export async function loadSession(ctx: Context, actor: Actor): Promise<CurrentSession> {
  const [row, [user]] = await Promise.all([
    findSession(ctx.db, actor.token_id as number),
    loadUsers(ctx, actor, [actor.user_id]),
  ])
  const known = found(row)
  const { role, expires_at, second_factor, by_provider } = known
  const session: CurrentSession = {
    user: found(user),
    role: role as CurrentSession['role'],
    scopes: scopesOf(actor.role),
    expires_at: expires_at?.toISOString() ?? null,
    second_factor_missing:
      second_factor === 'required' && !by_provider && !(await hasSecondFactor(ctx.db, actor.user_id)),
    workspace: presentWorkspace(actor, known),
  }
  return session
}

/** A new password ends every other session of its owner. */
export async function changePassword(
  ctx: Context,
  actor: Actor,
  input: { current_password: string; password: string },
): Promise<void> {
  const before = found(await findUserFor(ctx.db, actor, actor.user_id))
  const wrong = new Problem(422, 'invalid', { key: 'current_password', message: 'is not your password' })
  if (!(await ctx.passwords.matches(input.current_password, before.password_hash))) throw wrong
  const password_hash = await ctx.passwords.hash(input.password)
  return transaction(ctx, async (tx) => {
    const user = found(await lockUser(tx, actor.user_id))
    if (user.password_hash !== before.password_hash) throw wrong
    await updateUser(tx, user.id, { password_hash })
    await deleteSessions(tx, user.id, { but: actor.token_id })
  })
}
