import {
  type Operation,
  RATES,
  type RateClass,
  type RateKey,
  type Role,
  SCOPES,
  type ScopeName,
} from '@parley/contract'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../actor.js'
import type { Context } from '../context.js'
import { explained, OAuthProblem, Problem, TooMany } from '../problem.js'
import { type RateBucket, type RateRule, type RateVerdict, refused } from '../rates/rates.js'
import { DAY_MS, HOUR_MS } from '../time.js'
import type { Holder } from './admission-queries.js'
import { createHolders } from './holders.js'

const USED_AT_MOST_EVERY_MS = HOUR_MS
/** A session ends when it has not been used for this long. */
export const SESSION_MS = 30 * DAY_MS
const CLOSED_ADDRESSES = 20_000

/** A use of a token that is worth noting. */
export interface TokenUse {
  token_id: number
  at: Date
  /** One that was noted after this is noted by another process already. */
  unless_since: Date
  ip_address: string
  /** When a session ends now; null for a token that is not renewed by use. */
  expires_at: Date | null
}

interface AdmissionContext extends Pick<Context, 'pool' | 'clock'> {
  noteUse(use: TokenUse): Promise<void>
}

export interface Admitted {
  actor: Actor
  /** The rights hold until this time, and while the epoch is this one. */
  epoch: number
  until_ms: number
  workspace_suspended: boolean
  unprotected: boolean
}

export interface Assumed {
  admitted: Admitted
  proof: Promise<boolean>
}

interface Closed {
  rule: RateRule
  until: number
}

export interface Admission {
  /** Token → holder, as the database has it now, whichever process changed it last. */
  identify(token: string, ip_address: string, user_agent: string | null): Promise<Admitted>
  /**
   * The holder as this process knows it, while it asks whether that is still true; undefined where it knows none who would be admitted
   * at once. What is done for them must not be seen by anybody unless the proof is true.
   */
  assume(token: string, ip_address: string, user_agent: string | null): Assumed | undefined
  /** Moves with every change of rights: what was admitted as of this epoch is still right. */
  epoch(): Promise<number>
  /** Whether this process has seen the token work; it may have ended since. */
  hasSeen(token: string): boolean
  /** The window that an address filled with wrong tokens, for which no token is looked up until then. */
  closedBy(ip_address: string): Closed | undefined
  close(ip_address: string, closed: Closed): void
  forget(): void
}

export const invalid = (description: string) => new OAuthProblem(401, 'invalid_token', description)

const isNoted = ({ last_used_at }: Holder, now: number) =>
  last_used_at !== null && now - last_used_at.getTime() < USED_AT_MOST_EVERY_MS

/** Use is noted once an hour, and renews a session. */
async function noteUse(ctx: AdmissionContext, holder: Holder, ip_address: string) {
  const now = ctx.clock.now()
  holder.last_used_at = new Date(now)
  const renewed = holder.kind === 'session' && holder.expires_at ? new Date(now + SESSION_MS) : null
  if (renewed) holder.expires_at = renewed
  await ctx.noteUse({
    token_id: holder.token_id,
    at: holder.last_used_at,
    unless_since: new Date(now - USED_AT_MOST_EVERY_MS),
    ip_address,
    expires_at: renewed,
  })
}

/** A guest has no tokens that work; in the client they are a multi-guest with one chat. */
function roleOf(holder: Holder): Role {
  if (holder.bot) return 'bot'
  if (holder.role !== 'guest') return holder.role as Role
  if (holder.kind !== 'session') throw new Problem(403, 'access_denied', { rule: 'person.active' })
  return 'multi_guest'
}

function admittedOf(holder: Holder, ip_address: string, user_agent: string | null): Admitted {
  const { user_id, token_id, kind: token_kind, scopes, plan } = holder
  const role = roleOf(holder)
  const actor: Actor = { user_id, role, token_id, token_kind, scopes, plan, ip_address, user_agent }
  if (holder.limits) actor.limits = holder.limits
  if (holder.resource) actor.resource = holder.resource
  const { epoch, workspace_suspended, unprotected } = holder
  const until_ms = holder.expires_at?.getTime() ?? Number.POSITIVE_INFINITY
  return { actor, epoch, until_ms, workspace_suspended, unprotected }
}

export function createAdmission(ctx: AdmissionContext): Admission {
  const holders = createHolders(ctx)
  const closed = new LRUCache<string, Closed>({ max: CLOSED_ADDRESSES })
  return {
    epoch: holders.epoch,
    hasSeen: holders.hasSeen,
    closedBy: (ip_address) => closed.get(ip_address),
    close: (ip_address, by) => void closed.set(ip_address, by),
    forget() {
      holders.forget()
      closed.clear()
    },
    async identify(token, ip_address, user_agent) {
      const holder = await holders.find(token)
      if (!holder || holder.deleted_at) throw invalid('Access token is invalid')
      if (holders.hasExpired(holder)) throw invalid('Access token has expired')
      if (holder.suspended) throw new Problem(403, 'access_denied', { rule: 'person.active' })
      const admitted = admittedOf(holder, ip_address, user_agent)
      if (!isNoted(holder, ctx.clock.now())) await noteUse(ctx, holder, ip_address)
      // A session that is used ends later.
      admitted.until_ms = holder.expires_at?.getTime() ?? Number.POSITIVE_INFINITY
      return admitted
    },
    assume(token, ip_address, user_agent) {
      const assumed = holders.assume(token)
      if (!assumed) return undefined
      const { holder, proof } = assumed
      if (holder.deleted_at || holder.suspended || holder.role === 'guest') return undefined
      if (holder.limits || holder.resource || !isNoted(holder, ctx.clock.now())) return undefined
      return { admitted: admittedOf(holder, ip_address, user_agent), proof }
    },
  }
}

/** The token of the Authorization header; one in a query or a body does not count. */
export function bearer(header: string | undefined): string {
  if (!header) throw invalid('Access token is missing')
  const match = /^Bearer +(\S+)$/i.exec(header)
  if (!match?.[1]) throw invalid('Access token is missing')
  return match[1]
}

interface CountedBy {
  token?: number | null
  address?: string
  chat?: number | string
  webhook?: string
  /** What names the account that somebody signs in to. */
  account?: string
}

const KEYS: Record<RateKey, (keys: CountedBy) => string> = {
  address: ({ address }) => String(address),
  account: ({ account }) => String(account),
  'webhook-key': ({ webhook }) => String(webhook),
  token: ({ token }) => String(token),
  'token-and-chat': ({ token, chat = '' }) => `${token}:${chat}`,
}

const WINDOWS = Object.fromEntries(
  Object.entries(RATES).map(([rate, windows]) => [
    rate,
    windows.map(({ name, requests, window_s, by }) => ({
      rule: { name, limit: requests, window_ms: window_s * 1000 },
      keyOf: KEYS[by],
    })),
  ]),
) as Record<RateClass, { rule: RateRule; keyOf: (keys: CountedBy) => string }[]>

/** The buckets a request is counted in. */
export function bucketsFor(rate: RateClass, keys: CountedBy): RateBucket[] {
  return WINDOWS[rate].map(({ rule, keyOf }) => ({ rule, key: keyOf(keys) }))
}

/**
 * Takes from the buckets or refuses with 429; the verdict fills the RateLimit headers. Only counters that are shared with other
 * processes have to be waited for.
 */
export function takeRate(
  ctx: Context,
  buckets: RateBucket[],
  holder?: string,
): RateVerdict | Promise<RateVerdict> {
  const taken = ctx.rates.take(buckets as [RateBucket, ...RateBucket[]], holder)
  const judged = (verdict: RateVerdict) => (verdict.allowed ? verdict : refuse(ctx, verdict))
  return taken instanceof Promise ? taken.then(judged) : judged(taken)
}

function refuse(ctx: Context, verdict: RateVerdict): never {
  const { rule, retry_after_s } = verdict
  ctx.metrics.refusals.inc({ window: rule.name })
  throw new TooMany(retry_after_s, rule.name, verdict)
}

/** Counts a request without a token that works. Once the window is full, wrong tokens of the address are not looked up any more. */
export async function takeAnonymous(ctx: Context, address: string) {
  const { rates, admission, clock } = ctx
  const verdict = await rates.take(bucketsFor('anonymous', { address }) as [RateBucket])
  const { rule, remaining, reset_ms } = verdict
  if (remaining === 0) admission.close(address, { rule, until: clock.now() + reset_ms })
  if (!verdict.allowed) refuse(ctx, verdict)
}

/** Refuses a token before it is looked up where its address sent too many wrong ones; a token that has worked passes. */
export function ensureOpen(ctx: Context, address: string, token: string) {
  const closed = ctx.admission.closedBy(address)
  const wait_ms = closed ? closed.until - ctx.clock.now() : 0
  if (!closed || wait_ms <= 0 || ctx.admission.hasSeen(token)) return
  refuse(ctx, refused(closed.rule, wait_ms))
}

const ONLY_SESSIONS =
  'Only a login session may do this, not a token: sign-in, password, tokens and workspace settings'

const ROLE_NAMES: Record<Role, string> = {
  owner: 'the owner',
  admin: 'admins',
  user: 'employees',
  multi_guest: 'guests',
  bot: 'bots',
}

function roleRefused(roles: readonly Role[], role: Role): Problem {
  const message = `You are not allowed to do this: it is for ${roles.map((role) => ROLE_NAMES[role]).join(', ')}`
  return new Problem(403, 'not_authorized', {
    message,
    rule: 'operation.role',
    needs: { role: roles },
    has: { role },
  })
}

function planRefused({ area, plan }: Operation): Problem {
  const message = `The plan of the workspace does not include this (${area}): it needs the plan ${plan}`
  return new Problem(403, 'not_authorized', { message, rule: 'workspace.plan', needs: { plan } })
}

const UNPROTECTED = 'The workspace asks for a second factor: set one up first'

/** Who lacks the second factor that the workspace asks for can do nothing but set it up. */
export function judgeProtection(operation: Operation, unprotected: boolean) {
  if (unprotected && !operation.whileUnprotected)
    throw new Problem(403, 'not_authorized', { message: UNPROTECTED })
}

/** Scope, role for the scope, caller, plan: in this order, before any parameter is looked at. */
export function judge(operation: Operation, actor: Actor) {
  const ofBot = operation.botsWithoutScope && actor.role === 'bot'
  if (operation.scope && !ofBot) judgeScope(operation.scope, actor)
  const roles: readonly Role[] = operation.roles
  if (!roles.includes(actor.role)) throw roleRefused(roles, actor.role)
  if (operation.sessionOnly && actor.token_kind !== 'session')
    throw new Problem(403, 'not_authorized', {
      message: ONLY_SESSIONS,
      rule: 'token.session',
      has: { token_kind: actor.token_kind },
    })
  if (operation.plan && actor.plan !== operation.plan) throw planRefused(operation)
}

function judgeScope(scope: ScopeName, actor: Actor) {
  if (actor.token_kind !== 'session' && !actor.scopes.has(scope)) {
    const text = `Insufficient scope. Required: ${scope}`
    throw new OAuthProblem(403, 'insufficient_scope', text, scope, explained('token.scope', { scope }))
  }
  const holders: readonly Role[] = SCOPES[scope]
  if (!holders.includes(actor.role)) {
    const why = explained('token.scope_role', { role: holders }, { role: actor.role })
    throw new OAuthProblem(403, 'role_forbidden', `Your role may not use the scope ${scope}`, undefined, why)
  }
}
