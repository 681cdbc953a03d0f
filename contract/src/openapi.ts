import { ApiError, OAuthError } from './errors.js'
import { componentsFor, referring } from './openapi-schemas.js'
import { TAG_GROUPS, TAGS } from './openapi-tags.js'
import { webhooks } from './openapi-webhooks.js'
import type { Operation } from './operation.js'
import { OPERATIONS } from './operations.js'
import { RATES, type RateWindow } from './rates.js'
import { canDryRun, problemCodes, problemStatuses } from './refusals.js'
import { SCOPES } from './scopes.js'

type Json = Record<string, unknown>

const json = (schema: object) => ({ 'application/json': { schema: referring(schema) } })
const html = { 'text/html': { schema: { type: 'string' } } }
const text = { 'text/plain': { schema: { type: 'string' } } }

const PROBLEM_TEXTS: Record<number, string> = {
  302: 'Goes on at another address.',
  303: 'Goes on at another address.',
  400: 'The request cannot be read, or a parameter is wrong.',
  401: 'Token missing, wrong or revoked.',
  402: 'The workspace is suspended.',
  403: 'The token lacks the scope, its holder may not hold it, or a rule refuses the action.',
  404: 'No such object.',
  409: 'The request conflicts with the present state, or with the first use of its Idempotency-Key.',
  410: 'The identifier no longer works.',
  413: 'The body is larger than the limit.',
  415: 'Media type not accepted; the accepted ones as text.',
  422: 'Readable, but against the rules of the service.',
  429: 'Over a limit. Plain text; the daily quota of messages answers with JSON.',
  503: 'Temporarily out of service.',
  504: 'No answer in time.',
}

function problem(operation: Operation, status: number): Json {
  const codes = problemCodes(operation, status)
  const base: Json = { description: PROBLEM_TEXTS[status] ?? 'Refused.' }
  if (codes.length) base['x-error-codes'] = codes
  if (operation.neverAnswered?.includes(status))
    base.description = 'Declared, and never answered by this server.'
  if (status === 429) {
    const headers = { 'Retry-After': { required: true, schema: { type: 'integer', minimum: 1 } } }
    return { ...base, headers, content: { ...text, ...(codes.length ? json(ApiError) : {}) } }
  }
  if (status < 400) return base
  if (status === 415) return { ...base, content: text }
  if (operation.returns.media === 'text/html') return { ...base, content: { ...html, ...json(ApiError) } }
  if (status === 401 || (status === 400 && operation.oauthErrors))
    return { ...base, content: json(OAuthError) }
  if (status === 403) return { ...base, content: json({ anyOf: [ApiError, OAuthError] }) }
  return { ...base, content: json(ApiError) }
}

function parameters(operation: Operation, example: CallExample): Json[] {
  const listed = (place: 'path' | 'query', schema: Operation['params']) =>
    Object.entries((schema?.properties ?? {}) as Record<string, Json>).map(([name, property]) => ({
      name,
      in: place,
      required: place === 'path' || ((schema?.required as string[] | undefined) ?? []).includes(name),
      ...(property.description ? { description: property.description } : {}),
      ...(property.deprecated ? { deprecated: true } : {}),
      schema: referring(property),
      ...exampleOf(example.parameters?.[name]),
    }))
  const idempotency =
    operation.method !== 'GET' && operation.roles.length > 0
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            description: 'The same key and body within 24 hours gives the first answer again.',
            schema: { type: 'string', maxLength: 255 },
          },
        ]
      : []
  const dryRun = canDryRun(operation)
    ? [
        {
          name: 'Parley-Dry-Run',
          in: 'header',
          required: false,
          description:
            'Answers as the write would, and does nothing. `Parley-Would` counts what it would cause.',
          schema: { type: 'string', enum: ['true'] },
        },
      ]
    : []
  return [...listed('path', operation.params), ...listed('query', operation.query), ...idempotency, ...dryRun]
}

/** A request that was sent, and what was answered. */
export interface CallExample {
  /** Of path and query, by name. */
  parameters?: Record<string, unknown>
  request?: unknown
  response?: unknown
}

const exampleOf = (value: unknown) => (value === undefined ? {} : { example: value })

function requestBody(operation: Operation, { request }: CallExample): Json | undefined {
  if (!operation.body) return undefined
  const media = operation.media ?? ['application/json']
  const shown = (kind: string) => (kind === media[0] ? exampleOf(request) : {})
  const content = Object.fromEntries(
    media.map((kind) => [kind, { schema: referring(operation.body), ...shown(kind) }]),
  )
  return { required: !operation.bodyOptional, content }
}

function success(operation: Operation, { response }: CallExample): Json {
  const { body, media, data } = operation.returns
  const headers = { 'X-Request-Id': { schema: { type: 'string' } } }
  if (body) {
    const content = { 'application/json': { schema: referring(body), ...exampleOf(response) } }
    return { description: 'Success.', headers, content }
  }
  if (media)
    return { description: 'Success.', headers, content: { [media]: { schema: referring(data ?? {}) } } }
  return { description: 'Success.', headers }
}

function describe(operation: Operation, example: CallExample = {}): Json {
  const body = requestBody(operation, example)
  const list = parameters(operation, example)
  return {
    operationId: operation.id,
    tags: [operation.area],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.roles.length === 0 ? { security: [] } : {}),
    'x-scope': operation.scope,
    'x-plan': operation.plan,
    'x-roles': operation.roles,
    'x-rate-class': operation.rate,
    ...(operation.access ? { 'x-access': operation.access } : {}),
    ...(operation.sessionOnly ? { 'x-session-only': true } : {}),
    ...(operation.addition ? { 'x-addition': true } : {}),
    ...(operation.sandbox ? { 'x-sandbox': true } : {}),
    ...(operation.root ? { 'x-server-root': true } : {}),
    ...(operation.optional ? { 'x-optional': true } : {}),
    ...(list.length ? { parameters: list } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: {
      [operation.returns.status]: success(operation, example),
      ...Object.fromEntries(problemStatuses(operation).map((status) => [status, problem(operation, status)])),
    },
  }
}

function ratesWith(windows: readonly RateWindow[]) {
  const changed = (rule: RateWindow) => windows.find(({ name }) => name === rule.name) ?? rule
  return Object.fromEntries(Object.entries(RATES).map(([name, rules]) => [name, rules.map(changed)]))
}

export interface DocumentOptions {
  /** Where the server is reached, without a path. */
  public_url: string
  /** What the paths of the API begin with. */
  prefix: string
  /** Whether the operations of a sandbox are there. */
  sandbox: boolean
  /** Limits that this server has other than the contract's. */
  windows?: readonly RateWindow[]
  /** By the id of the operation, or by the event of a webhook. */
  examples?: Readonly<Record<string, CallExample>>
}

export const COMMITTED: DocumentOptions = {
  public_url: 'http://127.0.0.1:8080',
  prefix: '/v1',
  sandbox: true,
}

/** The contract as an OpenAPI 3.1 document: the whole, or that of one server. */
export function openapi(
  version: string,
  { public_url, prefix, sandbox, windows = [], examples = {} }: DocumentOptions = COMMITTED,
): Json {
  const paths: Record<string, Json> = {}
  for (const operation of OPERATIONS) {
    if (operation.sandbox && !sandbox) continue
    const methods = { [operation.method.toLowerCase()]: describe(operation, examples[operation.id]) }
    const root = operation.root ? { servers: [{ url: public_url }] } : {}
    paths[operation.path] = { ...paths[operation.path], ...root, ...methods }
  }
  const posted = webhooks(examples)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley API',
      version,
      description:
        'A self-hosted team-messaging workspace: chats, threads, bots, webhooks, files and search.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: `${public_url}${prefix}` }],
    security: [{ bearer: [] }],
    tags: TAGS,
    'x-tagGroups': TAG_GROUPS,
    'x-rate-classes': ratesWith(windows),
    'x-scope-roles': SCOPES,
    paths,
    webhooks: posted,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: componentsFor(paths, posted),
    },
  }
}
