import assert from 'node:assert/strict'
import type { Operation } from '@parley/contract'
import { describeAnswer, errorsOf } from '../answer.js'
import type { Lab } from '../lab.js'
import type { Law } from '../law.js'
import { callerFor, lawOf, SERVED } from './callers.js'
import { requestFor } from './tokens.js'

async function readsJson(lab: Lab, operation: Operation) {
  const caller = await callerFor(lab, operation)
  const answer = await caller.send(operation, { ...requestFor(operation), body: '{"broken' })
  assert.equal(answer.status, 400, `${describeAnswer(answer)} to broken JSON`)
}

const required = (schema: object | undefined) =>
  (schema as { required?: string[] } | undefined)?.required ?? []

async function namesMissing(lab: Lab, operation: Operation) {
  const caller = await callerFor(lab, operation)
  const answer = await caller.send(operation, { ...requestFor(operation), body: {} })
  assert.ok([400, 422].includes(answer.status), `${describeAnswer(answer)} to a body without members`)
  const keys = errorsOf(answer).map(({ key }) => key.split('.')[0])
  const named = required(operation.body).filter((name) => keys.includes(name))
  assert.ok(
    named.length > 0,
    `${describeAnswer(answer)}: names none of ${required(operation.body).join(', ')}`,
  )
}

const queryOf = ({ query }: Operation) => (query?.properties ?? {}) as Record<string, { enum?: unknown[] }>

/** The refusal of one parameter. */
async function refusesQuery(lab: Lab, operation: Operation, name: string, value: unknown, codes: string[]) {
  const caller = await callerFor(lab, operation)
  const request = requestFor(operation)
  const answer = await caller.send(operation, { ...request, query: { ...request.query, [name]: value } })
  const named = errorsOf(answer).some(({ key, code }) => key === name && codes.includes(code))
  assert.ok(answer.status === 400 && named, `${describeAnswer(answer)} to ${name}=${value}`)
}

async function limits(lab: Lab, operation: Operation) {
  for (const value of [0, 'many']) await refusesQuery(lab, operation, 'limit', value, ['invalid'])
}

async function words(lab: Lab, operation: Operation) {
  const enums = Object.entries(queryOf(operation)).filter(([, schema]) => schema.enum)
  for (const [name] of enums) await refusesQuery(lab, operation, name, 'no-such-word', ['in'])
}

async function namesMissingQuery(lab: Lab, operation: Operation) {
  const caller = await callerFor(lab, operation)
  for (const name of required(operation.query)) {
    const request = requestFor(operation)
    const answer = await caller.send(operation, {
      ...request,
      query: { ...request.query, [name]: undefined },
    })
    const named = errorsOf(answer).some(({ key, code }) => key === name && code === 'required')
    assert.ok(answer.status === 400 && named, `${describeAnswer(answer)} without ${name}`)
  }
}

const bodies = SERVED.filter(({ body, media }) => body && !media)
const about = (list: readonly Operation[], name: string, say: (id: string) => string, run: typeof limits) =>
  list.map((operation) =>
    lawOf({ name, rule: say(operation.id), operation, run: (lab) => run(lab, operation) }),
  )

export const inputLaws: readonly Law[] = [
  ...about(bodies, 'json', (id) => `${id} answers 400 to broken JSON.`, readsJson),
  ...about(
    bodies.filter(({ body }) => required(body).length > 0),
    'missing',
    (id) => `${id} refuses a body without its members with 400 or 422 and names one that is missing.`,
    namesMissing,
  ),
  ...about(
    SERVED.filter((operation) => queryOf(operation).limit),
    'limit',
    (id) => `${id} answers 400 invalid, key limit, to a limit below 1 or no number.`,
    limits,
  ),
  ...about(
    // Lists of an object look for the object first; the laws about pages try them.
    SERVED.filter((operation) => queryOf(operation).cursor && !operation.params),
    'cursor',
    (id) => `${id} answers 400 invalid, key cursor, to a cursor that no list gave.`,
    (lab, operation) => refusesQuery(lab, operation, 'cursor', 'no-such-cursor', ['invalid']),
  ),
  ...about(
    SERVED.filter((operation) => Object.values(queryOf(operation)).some((schema) => schema.enum)),
    'word',
    (id) => `${id} answers 400 in to a word that a parameter does not have, and names the parameter.`,
    words,
  ),
  ...about(
    SERVED.filter(({ query }) => required(query).length > 0),
    'required',
    (id) => `${id} answers 400 required without a parameter that it needs, and names it.`,
    namesMissingQuery,
  ),
]
