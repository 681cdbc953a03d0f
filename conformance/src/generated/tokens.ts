import assert from 'node:assert/strict'
import type { Operation } from '@parley/contract'
import { type Answer, describeAnswer, errorsOf } from '../answer.js'
import type { Caller, Sent } from '../client.js'
import type { Lab } from '../lab.js'
import type { Law } from '../law.js'
import { GUARDED, lawOf } from './callers.js'
import { sampleOf } from './samples.js'

/** A request in good order, about objects that do not exist. */
export function requestFor({ params, query, body, media }: Operation): Sent {
  return {
    params: Object.fromEntries(Object.keys(params?.properties ?? {}).map((name) => [name, 2_147_483_000])),
    query: query && (sampleOf(query) as Record<string, unknown>),
    body: body && !media ? sampleOf(body) : undefined,
  }
}

function expectStatus(answer: Answer, status: number) {
  assert.equal(answer.status, status, `${describeAnswer(answer)} where ${status} was due`)
}

/** Keeps out whoever has no token, or one that is none. */
async function asksForToken(lab: Lab, operation: Operation) {
  const strangers = [lab.anonymous, lab.as(0, 'not-a-token-of-this-server')]
  for (const caller of strangers) {
    const answer = await caller.send(operation, requestFor(operation))
    expectStatus(answer, 401)
    assert.equal((answer.body as { error?: string }).error, 'invalid_token', `${operation.id}: error`)
  }
}

async function asksForScope(lab: Lab, operation: Operation) {
  const answer = await (await lab.bare()).send(operation, requestFor(operation))
  expectStatus(answer, 403)
  const { error, error_description } = answer.body as { error?: string; error_description?: string }
  assert.equal(error, 'insufficient_scope', `${operation.id}: error`)
  assert.ok(
    error_description?.includes(`Required: ${operation.scope}`),
    `${operation.id}: error_description names no scope: ${error_description}`,
  )
}

async function othersOf(lab: Lab, operation: Operation): Promise<Caller[]> {
  const roles: readonly string[] = operation.roles
  const bot = roles.includes('bot') ? [] : [await lab.helper()]
  const person = roles.includes('user') || !lab.has('member') ? [] : [lab.member]
  const owner = roles.includes('owner') ? [] : [lab.owner]
  return [...bot, ...person, ...owner]
}

async function asksForRole(lab: Lab, operation: Operation) {
  for (const caller of await othersOf(lab, operation))
    expectStatus(await caller.send(operation, requestFor(operation)), 403)
}

async function asksForSession(lab: Lab, operation: Operation) {
  const answer = await lab.owner.send(operation, requestFor(operation))
  expectStatus(answer, 403)
  assert.equal(errorsOf(answer)[0]?.code, 'not_authorized', `${operation.id}: code`)
}

const EVERY_ROLE = 4

export const tokenLaws: readonly Law[] = GUARDED.flatMap((operation) => {
  const { id, scope, botsWithoutScope, roles, sessionOnly } = operation
  const laws = [
    lawOf({
      name: 'token',
      rule: `${id} without a token, or with one that is unknown, is refused with 401 invalid_token.`,
      operation,
      run: (lab) => asksForToken(lab, operation),
    }),
  ]
  if (scope && !botsWithoutScope)
    laws.push(
      lawOf({
        name: 'scope',
        rule: `${id} with a token that lacks ${scope} is refused with 403 insufficient_scope, which names the scope.`,
        operation,
        run: (lab) => asksForScope(lab, operation),
      }),
    )
  if (sessionOnly)
    laws.push(
      lawOf({
        name: 'session',
        rule: `${id} is refused to tokens that are no login session with 403.`,
        operation,
        run: (lab) => asksForSession(lab, operation),
      }),
    )
  else if (
    (roles.length <= EVERY_ROLE && !(roles as readonly string[]).includes('bot')) ||
    roles.length === 1
  )
    laws.push(
      lawOf({
        name: 'role',
        rule: `${id} is refused with 403 to callers other than ${roles.join(', ')}.`,
        operation,
        run: (lab) => asksForRole(lab, operation),
      }),
    )
  return laws
})
