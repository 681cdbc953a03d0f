import type { BodyOf, Operation, ParamsOf, QueryOf, RateClass, ResultOf } from '@parley/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Actor } from '../actor.js'
import type { Context } from '../context.js'
import { OAuthProblem, Problem } from '../problem.js'
import {
  type Admitted,
  type Assumed,
  bearer,
  bucketsFor,
  ensureOpen,
  invalid,
  judge,
  judgeProtection,
  takeAnonymous,
  takeRate,
} from './admit.js'
import { holdsSecret } from './compress.js'
import { type CountConsequences, DRY_RUN, tryOut, wantsDryRun } from './dry-run.js'
import { type Answer, once, requestKey, type Written } from './idempotency.js'
import type { RequestKey } from './idempotency-queries.js'
import { noteIgnored } from './ignored.js'
import { judgeLimits, leash } from './leash.js'
import { type BodyOptions, bodyReader, mayHaveMembers, readQueryMembers } from './lenient-body.js'
import { readOrWrite } from './position.js'
import { rateHeaders } from './rate-headers.js'
import { readParams, readQuery } from './read-query.js'
import type { RouteConfig } from './route-config.js'
import { admissibleCookie, isOfNamedUser } from './session-cookie.js'
import { isWithin } from './within.js'

/** JSON that is text already, or the bytes of one, on its way out as it is. */
export class ReadyJson {
  constructor(readonly body: string | Buffer) {}
}

export interface Call<O extends Operation> {
  /** The context of this request: inside an idempotent write its `db` is the open transaction. */
  ctx: Context
  /** The holder of the token; not set for operations without a token, so do not read it there. */
  actor: Actor
  params: ParamsOf<O>
  query: QueryOf<O>
  body: BodyOf<O>
  request: FastifyRequest
  reply: FastifyReply
}

type Result<O extends Operation> = ResultOf<O> extends undefined ? unknown : ResultOf<O> | ReadyJson
export type Handler<O extends Operation> = (call: Call<O>) => Promise<Result<O>>

/** A way of writing that stores the key of the request with what it writes, without a transaction of several statements. */
interface KeyedWay<O extends Operation> {
  /** The answer; null where the usual transaction has to do the write, or a request came with the key before. */
  write(call: Call<O>, key: RequestKey): Promise<string | null>
  /** The answer of what it wrote before, which is told from the same request; null where it cannot be made again. */
  repeat(call: Call<O>, written: Written): Promise<string | null>
}

export interface RouteOptions<O extends Operation = Operation> extends BodyOptions {
  /** The chat a message write is counted in, from the raw body and path, before either is checked. */
  chatOf?: (call: {
    ctx: Context
    actor: Actor
    params: Record<string, string>
    body: unknown
  }) => Promise<number | string>
  /** The class of this request, where it depends on the request. */
  rateOf?: (request: FastifyRequest) => RateClass
  /** The handler reads the raw stream itself (uploads, other media types). */
  rawBody?: boolean
  /**
   * Reads the raw stream before the handler, as its `body`, where the request has to be told from others: with an Idempotency-Key,
   * or where a person approves it. As JSON it says what came.
   */
  readRaw?: (request: FastifyRequest) => Promise<unknown>
  /** The handler keeps the Idempotency-Key with its own rows: it waits for others, which no transaction may do. */
  ownKeys?: boolean
  /**
   * The handler does nothing but read, so that it may begin with the rights of the caller as they were known last, while the database is
   * asked whether these still hold. What it read is dropped where they do not.
   */
  reads?: boolean
  /** How requests with an Idempotency-Key are done where nothing special is asked for. */
  keyedWay?: KeyedWay<O>
  /**
   * Completes a checked body with what something other than the database knows. It runs before an idempotent write
   * opens its transaction; any other request leaves that to its handler.
   */
  complete?: (call: { ctx: Context; actor: Actor; body: unknown }) => Promise<unknown>
}

interface Bound {
  operation: Operation
  handler: Handler<Operation>
  options: RouteOptions
}

/** The operations that have handlers, collected area by area and then put on every prefix. */
export interface Routes {
  ctx: Context
  bound: Map<string, Bound>
  /** Counts what the events of a dry run would cause. */
  consequences: CountConsequences
  /** What areas end with the server: streams before connections are waited for, resources after the last one. */
  ending: { streams: (() => void)[]; resources: (() => Promise<unknown>)[] }
}

/** Binds an operation to what does it. The caller is admitted and the input checked before the handler runs. */
export function route<O extends Operation>(
  routes: Routes,
  operation: O,
  handler: Handler<O>,
  options: RouteOptions<O> = {},
) {
  if (routes.bound.has(operation.id)) throw new Error(`${operation.id} is bound twice`)
  const bound = { operation, handler, options }
  routes.bound.set(operation.id, bound as unknown as Bound)
}

function isLoopback(address: string): boolean {
  return ipaddr.process(address).range() === 'loopback'
}

const NOBODY = { user_id: 0 } as Actor

const rateOf = ({ operation, options }: Bound, request: FastifyRequest) =>
  options.rateOf?.(request) ?? operation.rate

async function admit(
  ctx: Context,
  bound: Bound,
  request: FastifyRequest,
  reply: FastifyReply,
  counted: boolean,
) {
  const { operation } = bound
  const address = request.ip
  if (operation.sandbox && !isLoopback(address))
    throw new Problem(403, 'forbidden', { message: 'the sandbox is controlled from its own machine alone' })
  if (operation.roles.length === 0) {
    const rate = rateOf(bound, request)
    if (rate && rate !== 'inbound-webhook')
      rateHeaders(reply, await takeRate(ctx, bucketsFor(rate, { address })))
    return { actor: NOBODY, rate, presented: '' }
  }
  const { admitted, presented } = await identify(ctx, request)
  const { actor, rate } = await admitHolder(ctx, bound, request, reply, admitted, counted)
  return { actor, rate, presented }
}

/** Counts the request of a token that works, unless that is done, and judges whether its holder may do this. */
async function admitHolder(
  ctx: Context,
  bound: Bound,
  request: FastifyRequest,
  reply: FastifyReply,
  { actor, workspace_suspended, unprotected }: Admitted,
  counted = false,
) {
  const { operation, options } = bound
  request.caller = actor
  const declared = rateOf(bound, request)
  const reads = actor.token_kind === 'session' && operation.method === 'GET'
  const rate = declared && reads ? 'session-read' : declared
  const token = actor.token_id
  if (rate && !options.chatOf && !counted) {
    const keys = { token, address: request.ip }
    const taken = takeRate(ctx, bucketsFor(rate, keys), `token:${token}`)
    rateHeaders(reply, taken instanceof Promise ? await taken : taken)
  }
  if (workspace_suspended && !operation.whileSuspended) throw new Problem(402, 'payment_required')
  judgeProtection(operation, unprotected)
  judge(operation, actor)
  if (actor.limits) judgeLimits(actor.limits, operation, request)
  return { actor, rate }
}

const agentOf = (request: FastifyRequest) => request.headers['user-agent']?.slice(0, 255) ?? null

async function identify(ctx: Context, request: FastifyRequest) {
  const header = request.headers.authorization
  const cookie = header ? undefined : admissibleCookie(ctx, request)
  if (!header && !cookie) await takeAnonymous(ctx, request.ip)
  try {
    const presented = cookie ?? bearer(header)
    ensureOpen(ctx, request.ip, presented)
    const admitted = await ctx.admission.identify(presented, request.ip, agentOf(request))
    if (cookie && admitted.actor.token_kind !== 'session') throw invalid('Access token is invalid')
    if (cookie && !isOfNamedUser(request, admitted.actor.user_id))
      throw invalid('Somebody else has signed in')
    if (admitted.actor.resource === 'mcp' && !isWithin(request))
      throw invalid('Access token was issued for /mcp')
    return { admitted, presented }
  } catch (error) {
    // Guessing tokens is counted like asking without one.
    if ((header || cookie) && error instanceof OAuthProblem && error.status === 401)
      await takeAnonymous(ctx, request.ip)
    throw error
  }
}

/** Who asks, as known last; undefined where the usual way has to look, and to say what is wrong. */
function assume(ctx: Context, request: FastifyRequest): Assumed | undefined {
  const header = request.headers.authorization
  const token = header ? /^Bearer +(\S+)$/i.exec(header)?.[1] : admissibleCookie(ctx, request)
  const assumed = token === undefined ? undefined : ctx.admission.assume(token, request.ip, agentOf(request))
  if (!assumed || header) return assumed
  const { token_kind, user_id } = assumed.admitted.actor
  return token_kind === 'session' && isOfNamedUser(request, user_id) ? assumed : undefined
}

async function takeChatRate(ctx: Context, bound: Bound, rate: RateClass, call: Call<Operation>) {
  const { actor, request, reply } = call
  const params = request.params as Record<string, string>
  const chat = await bound.options.chatOf?.({ ctx, actor, params, body: call.body })
  const token = actor.token_id
  const keys = { token, address: request.ip, chat }
  rateHeaders(reply, await takeRate(ctx, bucketsFor(rate, keys), `token:${token}`))
}

function serialised(result: unknown): string | Buffer | null {
  if (result === undefined) return null
  return result instanceof ReadyJson ? result.body : JSON.stringify(result)
}

function send(reply: FastifyReply, { status, body }: Answer) {
  reply.status(status)
  if (body === null) reply.send()
  else reply.type('application/json; charset=utf-8').send(body)
  // Fastify waits for a reply that is given back, for nothing where it is out already.
  return reply.sent ? undefined : reply
}

/** Does a write once for its key. Tokens with limits always take the usual transaction, which their limits are put around. */
async function writeOnce(
  { operation, options: { keyedWay } }: Bound,
  call: Call<Operation>,
  keyed: { named: RequestKey; token: string; run: (ctx: Context) => Promise<Answer> },
): Promise<Answer> {
  const body = call.actor.limits ? null : ((await keyedWay?.write(call, keyed.named)) ?? null)
  if (body !== null) return { status: operation.returns.status, body }
  const repeat = async (written: Written) => (await keyedWay?.repeat(call, written)) ?? null
  return once(call.ctx, operation, { ...keyed, repeat })
}

/**
 * Reads while the rights of the caller are proved; without an answer where they are not as assumed, and undefined where nothing is known
 * of the caller.
 */
async function readEarly(
  ctx: Context,
  bound: Bound,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ answer?: Answer } | undefined> {
  const assumed = assume(ctx, request)
  if (!assumed) return undefined
  const { operation, handler } = bound
  const answer = async (): Promise<Answer> => {
    const { actor } = await admitHolder(ctx, bound, request, reply, assumed.admitted)
    const params = readParams(operation.params, request.params as Record<string, string>)
    const note = (name: string) => noteIgnored(reply, name)
    const query = operation.query ? readQuery(operation.query, request.url, undefined, note) : {}
    const call = { ctx, actor, params, query, body: undefined, request, reply } as unknown as Call<Operation>
    return readOrWrite(ctx, { operation, request, reply, limited: false }, async (own) => {
      call.ctx = own
      return { status: operation.returns.status, body: serialised(await handler(call)) }
    })
  }
  const read = async () => {
    try {
      return { answer: await answer() }
    } catch (error) {
      return { error }
    }
  }
  const reading = read()
  const proved = await assumed.proof
  const outcome = await reading
  if (!proved) return {}
  if ('error' in outcome) throw outcome.error
  return outcome
}

/** Puts one bound operation under a prefix. */
export function mount(app: FastifyInstance, { ctx, consequences }: Routes, prefix: string, bound: Bound) {
  const { operation, handler, options } = bound
  const raw = options.rawBody || !operation.body
  const takeBody = raw ? undefined : bodyReader(operation, options)
  const url = prefix + operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
  const writes = operation.method !== 'GET'
  const hasMembers = mayHaveMembers(operation)
  const config: RouteConfig = { operation: operation.id, secret: holdsSecret(operation.returns.body) }

  app.route({
    method: [operation.method, ...(operation.aliases ?? [])],
    url,
    config,
    async handler(request, reply) {
      request.config = config
      // Answers to a cookie look like anybody's to a cache on the way.
      if (operation.roles.length > 0) reply.header('cache-control', 'no-store')
      const early = options.reads ? await readEarly(ctx, bound, request, reply) : undefined
      if (early?.answer) return send(reply, early.answer)
      const { actor, rate, presented } = await admit(ctx, bound, request, reply, early !== undefined)
      const tried = wantsDryRun(operation, request)
      const taken = takeBody && (await takeBody(request, reply))
      const members = hasMembers ? await readQueryMembers(operation, request, reply) : undefined
      const { limits } = actor
      const compared =
        request.headers['idempotency-key'] !== undefined || (limits?.approval ?? 'none') !== 'none'
      const read = compared && !tried ? await options.readRaw?.(request) : undefined
      const body = read ?? taken?.body ?? members
      const call = { ctx, actor, params: {}, query: {}, body, request, reply } as unknown as Call<Operation>
      if (rate && options.chatOf) await takeChatRate(ctx, bound, rate, call)
      call.params = readParams(operation.params, request.params as Record<string, string>) as never
      const note = (name: string) => noteIgnored(reply, name)
      if (operation.query) call.query = readQuery(operation.query, request.url, members, note) as never
      taken?.check()

      const plain = async (own: Context): Promise<Answer> => {
        const result = await handler(own === ctx ? call : { ...call, ctx: own })
        return { status: operation.returns.status, body: reply.sent ? null : serialised(result) }
      }
      const limited = limits && { ctx, actor, operation, request, reply, body }
      const run = limited ? leash(limits, limited, plain, tried) : plain
      if (tried) {
        if (options.complete) call.body = (await options.complete(call)) as never
        const { answer, would } = await tryOut(ctx, run, consequences)
        reply.header(DRY_RUN, 'true').header('Parley-Would', would)
        return send(reply, answer)
      }
      const where = { operation, request, reply, limited: limits !== undefined }
      const key = request.headers['idempotency-key']
      if (
        !writes ||
        options.ownKeys ||
        typeof key !== 'string' ||
        actor.token_id === null ||
        operation.roles.length === 0
      ) {
        const answer = await readOrWrite(ctx, where, run)
        return reply.sent ? reply : send(reply, answer)
      }
      const named = requestKey(actor.token_id, operation, key, [request.params, request.url, body ?? null])
      if (options.complete) call.body = (await options.complete(call)) as never
      const keyed = { named, token: presented, run }
      return send(reply, await readOrWrite(ctx, where, () => writeOnce(bound, call, keyed)))
    },
  })
}
