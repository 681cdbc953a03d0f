import querystring from 'node:querystring'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, actingFor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { bearer, bucketsFor, ensureOpen, takeAnonymous, takeRate } from '../platform/http/admit.js'
import { hashToken } from '../platform/http/holders.js'
import { rateHeaders } from '../platform/http/rate-headers.js'
import { findUnstorable, parseJson, readBytes } from '../platform/http/read-body.js'
import { TooMany } from '../platform/problem.js'
import { MAX_RESULTS, resourceTypes, schemas, serviceProviderConfig } from './describe.js'
import { invalidValue, presentError, ScimError, scimErrorOf } from './error.js'
import { conditionOf, GROUP_COLUMNS, USER_COLUMNS } from './filter-queries.js'
import { createGroup, patchGroup, removeGroup, replaceGroup, showGroup } from './groups.js'
import { countScimGroups, countScimUsers, listScimGroups, listScimUsers } from './queries.js'
import { presentGroup, presentUser } from './resources.js'
import { findOwner, findTokenByHash, insertRequest, noteScimUse, type ScimTokenRow } from './token-queries.js'
import { baseUrl } from './tokens.js'
import { createUser, type Provider, patchUser, removeUser, replaceUser, showUser } from './users.js'

interface Asked {
  provider: Provider
  id: string
  query: Record<string, string>
  /** Reads the body as JSON. */
  body(): Promise<unknown>
}

interface Answer {
  status?: number
  body?: object
}

type Handle = (asked: Asked) => Promise<Answer>

function listed(resources: object[], total = resources.length, startIndex = 1) {
  const body = {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
  return { body }
}

function wholeOf(text: string | undefined, usual: number, least: number): number {
  const number = text === undefined ? usual : Number(text)
  return Number.isInteger(number) ? Math.max(least, number) : usual
}

function sliceOf({ startIndex, count }: Record<string, string>) {
  const offset = wholeOf(startIndex, 1, 1) - 1
  return { offset: Math.min(offset, 2_000_000_000), limit: Math.min(wholeOf(count, 100, 0), MAX_RESULTS) }
}

const wantsMembers = ({ excludedAttributes = '' }: Record<string, string>) =>
  !excludedAttributes.toLowerCase().split(',').includes('members')

async function listUsers({ provider, query }: Asked) {
  const { ctx, base } = provider
  const condition = conditionOf(USER_COLUMNS, query.filter)
  const slice = sliceOf(query)
  const total = await countScimUsers(ctx.db, condition)
  const rows = await listScimUsers(ctx.db, condition, slice)
  return listed(
    rows.map((row) => presentUser(base, row)),
    total,
    slice.offset + 1,
  )
}

async function listGroups({ provider, query }: Asked) {
  const { ctx, base } = provider
  const condition = conditionOf(GROUP_COLUMNS, query.filter)
  const slice = sliceOf(query)
  const members = wantsMembers(query)
  const total = await countScimGroups(ctx.db, condition)
  const rows = await listScimGroups(ctx.db, condition, { ...slice, members })
  return listed(
    rows.map((row) => presentGroup(base, row, members)),
    total,
    slice.offset + 1,
  )
}

function oneOf(all: { id: string }[], id: string): Answer {
  const one = all.find((item) => item.id === id)
  if (!one) throw new ScimError(404, `there is no ${id}`)
  return { body: one }
}

/** Every address below the base, with what is done there. */
const HANDLES: [method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, handle: Handle][] = [
  ['GET', '/ServiceProviderConfig', async ({ provider }) => ({ body: serviceProviderConfig(provider.base) })],
  ['GET', '/ResourceTypes', async ({ provider }) => listed(resourceTypes(provider.base))],
  ['GET', '/ResourceTypes/:id', async ({ provider, id }) => oneOf(resourceTypes(provider.base), id)],
  ['GET', '/Schemas', async ({ provider }) => listed(schemas(provider.base))],
  ['GET', '/Schemas/:id', async ({ provider, id }) => oneOf(schemas(provider.base), id)],
  ['GET', '/Users', listUsers],
  [
    'POST',
    '/Users',
    async ({ provider, body }) => ({ status: 201, body: await createUser(provider, await body()) }),
  ],
  ['GET', '/Users/:id', async ({ provider, id }) => ({ body: await showUser(provider, id) })],
  [
    'PUT',
    '/Users/:id',
    async ({ provider, id, body }) => ({ body: await replaceUser(provider, id, await body()) }),
  ],
  [
    'PATCH',
    '/Users/:id',
    async ({ provider, id, body }) => ({ body: await patchUser(provider, id, await body()) }),
  ],
  [
    'DELETE',
    '/Users/:id',
    async ({ provider, id }) => removeUser(provider, id).then(() => ({ status: 204 })),
  ],
  ['GET', '/Groups', listGroups],
  [
    'POST',
    '/Groups',
    async ({ provider, body }) => ({ status: 201, body: await createGroup(provider, await body()) }),
  ],
  [
    'GET',
    '/Groups/:id',
    async ({ provider, id, query }) => ({ body: await showGroup(provider, id, wantsMembers(query)) }),
  ],
  [
    'PUT',
    '/Groups/:id',
    async ({ provider, id, body }) => ({ body: await replaceGroup(provider, id, await body()) }),
  ],
  [
    'PATCH',
    '/Groups/:id',
    async ({ provider, id, body }) => ({ body: await patchGroup(provider, id, await body()) }),
  ],
  [
    'DELETE',
    '/Groups/:id',
    async ({ provider, id }) => removeGroup(provider, id).then(() => ({ status: 204 })),
  ],
]

async function identify(ctx: Context, request: FastifyRequest): Promise<ScimTokenRow> {
  const value = bearer(request.headers.authorization)
  ensureOpen(ctx, request.ip, value)
  const token = await findTokenByHash(ctx.db, hashToken(value))
  if (!token) throw new ScimError(401, 'the token is not known')
  return token
}

/** The token; wrong ones are counted like requests without one. */
async function admit(ctx: Context, request: FastifyRequest): Promise<ScimTokenRow> {
  const token = await identify(ctx, request).catch(async (error: unknown) => {
    if (!(error instanceof TooMany)) await takeAnonymous(ctx, request.ip)
    throw error
  })
  await takeRate(ctx, bucketsFor('scim', { token: token.id }))
  await noteScimUse(ctx.autocommit, token.id, now(ctx.clock))
  return token
}

async function providerOf(ctx: Context, request: FastifyRequest): Promise<Provider> {
  const { id, plan, suspended } = await findOwner(ctx.db)
  if (suspended) throw new ScimError(403, 'the workspace is suspended')
  const { 'user-agent': agent } = request.headers
  const caller = { ip_address: request.ip, user_agent: agent?.slice(0, 255) ?? null }
  const actor = { ...actingFor(id, 'owner', plan as Actor['plan']), ...caller }
  return { ctx, actor, base: baseUrl(ctx) }
}

async function readBody(request: FastifyRequest): Promise<unknown> {
  const bytes = await readBytes(request.raw)
  let body: unknown
  try {
    body = parseJson(bytes)
  } catch {
    throw new ScimError(400, 'the body is not JSON', 'invalidSyntax')
  }
  const unstorable = findUnstorable(body)
  if (unstorable !== undefined)
    throw invalidValue(`${unstorable || 'the body'} holds a character that cannot be stored`)
  return body
}

const storable = (text: string) => text.replaceAll('\0', '')

function readable(path: string): string {
  // It also takes what is not UTF-8.
  return storable(querystring.unescape(path.replaceAll('+', ' '))).slice(0, 500)
}

async function note(
  ctx: Context,
  token: ScimTokenRow,
  request: FastifyRequest,
  status: number,
  detail: string | null,
) {
  const path = readable(request.url.replace(/^.*?\/scim\/v2/, ''))
  const { method } = request
  await insertRequest(ctx.autocommit, {
    at: now(ctx.clock),
    token_name: token.name,
    method,
    path,
    status,
    detail: detail && storable(detail),
  })
}

async function run(ctx: Context, request: FastifyRequest, reply: FastifyReply, handle: Handle) {
  let token: ScimTokenRow | undefined
  const send = async ({ status = 200, body }: Answer, detail: string | null = null) => {
    if (token) await note(ctx, token, request, status, detail)
    reply.status(status).header('Cache-Control', 'no-store')
    return body ? reply.type('application/scim+json; charset=utf-8').send(JSON.stringify(body)) : reply.send()
  }
  try {
    token = await admit(ctx, request)
    const { id = '' } = request.params as { id?: string }
    const query = Object.fromEntries(new URL(request.url, baseUrl(ctx)).searchParams)
    return await send(
      await handle({ provider: await providerOf(ctx, request), id, query, body: () => readBody(request) }),
    )
  } catch (error) {
    const refusal = scimErrorOf(error)
    if (!refusal) throw error
    if (error instanceof TooMany) reply.header('Retry-After', error.retry_after_s)
    if (error instanceof TooMany && error.verdict) rateHeaders(reply, error.verdict)
    if (refusal.status === 401) reply.header('WWW-Authenticate', 'Bearer')
    return send({ status: refusal.status, body: presentError(refusal) }, refusal.detail)
  }
}

/** SCIM 2.0 (RFC 7643, RFC 7644): an identity provider keeps people and groups up to date. */
export function scimRoutes(app: FastifyInstance, ctx: Context) {
  for (const [method, path, handle] of HANDLES)
    app.route({
      method,
      url: `/scim/v2${path}`,
      config: { operation: `scim ${method} ${path}` },
      handler: (request, reply) => run(ctx, request, reply, handle),
    })
}
