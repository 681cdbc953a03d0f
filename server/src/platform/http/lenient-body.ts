import type { Operation } from '@parley/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Problem } from '../problem.js'
import { bodyBend } from './bend-body.js'
import { type Schema, strictShape } from './body-schema.js'
import { bodyCheck, keyOf, shapeTest, storableCheck } from './check-body.js'
import { noteIgnored } from './ignored.js'
import { parseJson, readBytes } from './read-body.js'
import { isForm, nestFields, readForm } from './read-form.js'
import { rawQuery } from './read-query.js'

type Body = Record<string, unknown>

export interface BodyOptions {
  /** Brings another spelling of the body into the form of the contract, before it is checked. */
  reshape?: (body: unknown, note: (name: string) => void) => unknown
  /** A looser shape for the body check, where the handler has codes of its own for the rest. */
  bodyShape?: TSchema
}

/** A body as its operation understands it; `check` refuses it where that is not enough. */
export interface TakenBody {
  body: unknown
  check(): void
}

/** Addresses are kept in logs and histories, so secrets are read from bodies alone. */
const SECRET = /password|secret|token|key$/i

function isObject(value: unknown): value is Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isJson(type: string): boolean {
  return /^application\/([\w.+-]+\+)?json\b/i.test(type)
}

export const MEDIA_TYPES =
  'must be application/json, application/x-www-form-urlencoded or multipart/form-data'

/** What a missing body lacks first: the wrapper, or the body itself. */
function wrapperOf(operation: Operation): string {
  const required = (operation.body as Schema | undefined)?.required ?? []
  return required.length === 1 ? (required[0] as string) : 'body'
}

/**
 * JSON, or a form with names such as `message[content]`. Where no token is asked for, a form is refused: a page of
 * another site could send it, and sign its reader in as somebody else.
 */
export function parseBody(operation: Operation, bytes: Buffer, type: string): Body | Promise<Body> {
  if (isForm(type) && operation.roles.length > 0) return readForm(bytes, type)
  if (!isJson(type)) {
    throw new Problem(400, 'invalid', { key: 'Content-Type', value: type || null, message: MEDIA_TYPES })
  }
  const body = parseJson(bytes)
  if (!isObject(body)) throw new Problem(400, 'invalid', { key: 'body', message: 'must be an object' })
  return body
}

/** The members of a body that the query names, in the form of the body. */
function membersInQuery(operation: Operation, url: string): Body | undefined {
  const start = url.indexOf('?')
  if (start < 0 || operation.roles.length === 0) return undefined
  const own = operation.query?.properties ?? {}
  const fields = [...new URLSearchParams(url.slice(start + 1))].filter(
    ([name]) => !SECRET.test(name) && !(name in own),
  )
  const known = (operation.body as Schema).properties ?? {}
  return Object.fromEntries(Object.entries(nestFields(fields)).filter(([name]) => Object.hasOwn(known, name)))
}

/** Adds what is missing, in the body and one level below; gives the names of what it added. */
function fillIn(body: Body, members: Body, path: string[] = []): string[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const known = Object.hasOwn(body, name) ? body[name] : undefined
    const place = [...path, name]
    if (isObject(known) && isObject(value) && path.length === 0) return fillIn(known, value, place)
    if (known !== undefined) return []
    body[name] = value
    return [keyOf(place)]
  })
}

/**
 * Makes the reader of one operation's body. One that has the shape of the contract is taken at the price of its check;
 * any other is read with leniency first, and what that changed is named in `Parley-Ignored`.
 */
export function bodyReader(operation: Operation, { reshape, bodyShape }: BodyOptions) {
  const schema = operation.body as TSchema & Schema
  const isStrict = shapeTest(strictShape(schema))
  const check = bodyCheck(bodyShape ? { ...operation, body: bodyShape } : operation)
  const checkStorable = storableCheck(operation)
  let bend: ReturnType<typeof bodyBend> | undefined

  return async function take(request: FastifyRequest, reply: FastifyReply): Promise<TakenBody> {
    const note = (name: string) => noteIgnored(reply, name)
    const bytes = await readBytes(request.raw)
    const members = membersInQuery(operation, request.url)
    const type = request.headers['content-type'] ?? ''
    if (bytes.length === 0 && !operation.bodyOptional && Object.keys(members ?? {}).length === 0)
      throw new Problem(400, 'required', { key: wrapperOf(operation) })
    const read = bytes.length === 0 ? {} : parseBody(operation, bytes, type)
    const parsed = read instanceof Promise ? await read : (read as Body)
    if (members) for (const name of fillIn(parsed, members)) note(name)
    const body = reshape ? reshape(parsed, note) : parsed
    if (isStrict(body)) return { body, check: () => checkStorable(body) }
    bend ??= bodyBend(schema)
    for (const name of bend(body, { form: isForm(type) })) note(keyOf(name.split('.')))
    return { body, check: () => check(body) }
  }
}

export function mayHaveMembers({ method, query, body }: Operation): boolean {
  return method === 'DELETE' && query !== undefined && body === undefined
}

/** Parameters of a DELETE that are in its body are used where the query lacks them. */
export async function readQueryMembers(
  operation: Operation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Body | undefined> {
  if (!operation.query) return undefined
  const bytes = await readBytes(request.raw)
  if (bytes.length === 0) return undefined
  const body = await parseBody(operation, bytes, request.headers['content-type'] ?? '')
  const inQuery = rawQuery(request.url)
  const scalars = Object.keys(operation.query.properties).filter((name) => {
    const value = Object.hasOwn(body, name) ? body[name] : null
    return value !== null && typeof value !== 'object' && !inQuery.has(name)
  })
  for (const name of scalars) noteIgnored(reply, name)
  return Object.fromEntries(scalars.map((name) => [name, body[name]]))
}
