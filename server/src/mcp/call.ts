import type { ApiErrorItem, Operation } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { oneOf } from '../platform/http/fault-text.js'
import { findUnstorable } from '../platform/http/read-body.js'
import { WITHIN } from '../platform/http/within.js'
import { problemItem } from '../platform/problem.js'

export interface Caller {
  token: string
  ip_address: string
  user_agent: string
  /** What the header for dry runs says; writes alone look at it. */
  dry_run: string | undefined
}

export interface Called {
  status: number
  body: unknown
  /** What the write would have caused, where it was only tried. */
  would?: string
}

const namesOf = (part: Operation['params']) => Object.keys(part?.properties ?? {})

function picked(input: Record<string, unknown>, names: readonly string[]): [string, unknown][] {
  return names.flatMap((name) =>
    input[name] === undefined ? [] : [[name, input[name]] as [string, unknown]],
  )
}

function addressOf(operation: Operation, prefix: string, input: Record<string, unknown>): string {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(input[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of picked(input, namesOf(operation.query))) {
    if (value === null) continue
    if (Array.isArray(value)) for (const item of value) search.append(`${name}[]`, String(item))
    else search.set(name, String(value))
  }
  const query = search.toString()
  return `${operation.root ? '' : prefix}${path}${query && `?${query}`}`
}

/** A path would be read as another one with these in it, however they are escaped. */
const STEPS: readonly unknown[] = ['.', '..']

/** What a path or a query can hold: a word, or a list of words. */
function isWord(value: unknown): boolean {
  const isOne = (item: unknown) => item === null || typeof item !== 'object'
  return [value].flat().every(isOne) && findUnstorable(value) === undefined
}

/** Names are judged here, because those of no part of the operation would not be passed on. */
function faultsOf({ params, query, body }: Operation, input: Record<string, unknown>): ApiErrorItem[] {
  const needed = namesOf(params)
  const known = [...needed, ...namesOf(query), ...namesOf(body as Operation['params'])]
  const unknown = Object.keys(input).filter((key) => !known.includes(key))
  const message = known.length > 0 ? `the name ${oneOf(known)}` : 'there are no arguments'
  return [
    ...needed.filter((key) => (input[key] ?? '') === '').map((key) => problemItem('required', { key })),
    ...needed
      .filter((key) => STEPS.includes(input[key]))
      .map((key) => problemItem('invalid', { key, message: 'must be an id' })),
    ...[...needed, ...namesOf(query)]
      .filter((key) => !isWord(input[key]))
      .map((key) => problemItem('invalid', { key, message: 'must be a text, a number or a list of them' })),
    ...unknown.map((key) => problemItem('invalid', { key, message })),
  ]
}

/**
 * Calls an operation in this process as a request of the same caller: admission, limits, rates and DLP are those of every
 * other request, and the token goes nowhere else.
 */
export async function callOperation(
  app: FastifyInstance,
  prefix: string,
  caller: Caller,
  operation: Operation,
  input: Record<string, unknown>,
): Promise<Called> {
  const errors = faultsOf(operation, input)
  if (errors.length > 0) return { status: 400, body: { errors } }
  const body =
    operation.body && Object.fromEntries(picked(input, namesOf(operation.body as Operation['params'])))
  const answer = await app.inject({
    method: operation.method,
    url: addressOf(operation, prefix, input),
    remoteAddress: caller.ip_address,
    headers: {
      ...WITHIN,
      authorization: `Bearer ${caller.token}`,
      'user-agent': caller.user_agent,
      ...(body ? { 'content-type': 'application/json' } : {}),
      ...(caller.dry_run === undefined ? {} : { 'parley-dry-run': caller.dry_run }),
    },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  })
  const json = String(answer.headers['content-type'] ?? '').includes('json')
  const would = answer.headers['parley-would']
  return {
    status: answer.statusCode,
    body: json ? answer.json() : answer.body || null,
    ...(would === undefined ? {} : { would: String(would) }),
  }
}
