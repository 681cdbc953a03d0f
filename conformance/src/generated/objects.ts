import assert from 'node:assert/strict'
import type { Operation } from '@parley/contract'
import { describeAnswer } from '../answer.js'
import type { Lab } from '../lab.js'
import type { Law } from '../law.js'
import { callerFor, lawOf, SERVED } from './callers.js'
import { requestFor } from './tokens.js'

/** They ask for the password first. */
const EXCEPT = new Set(['removePasskey', 'unlinkIdentity'])

async function knowsNothing(lab: Lab, operation: Operation) {
  const caller = await callerFor(lab, operation)
  const request = requestFor(operation)
  const words = Object.fromEntries(Object.keys(request.params ?? {}).map((name) => [name, 'nothing']))
  for (const params of [request.params, words]) {
    const answer = await caller.send(operation, { ...request, params })
    const due = `${describeAnswer(answer)} where 404 was due for ${JSON.stringify(params)}`
    assert.equal(answer.status, 404, due)
  }
}

/** Of the operations that name an object in their path. */
export const objectLaws: readonly Law[] = SERVED.filter(
  // Pages of a browser lead elsewhere instead, and OAuth knows no 404.
  ({ id, params, returns, root, oauthErrors }) =>
    params &&
    !oauthErrors &&
    !EXCEPT.has(id) &&
    returns.media === undefined &&
    !(root && returns.status === 302),
).map((operation) =>
  lawOf({
    name: 'unknown',
    rule: `${operation.id} answers 404 where its path names nothing, also where an id is no number.`,
    operation,
    run: (lab) => knowsNothing(lab, operation),
  }),
)
