import assert from 'node:assert/strict'
import type { Operation } from '@parley/contract'
import { describeAnswer } from '../answer.js'
import type { Lab } from '../lab.js'
import type { Law } from '../law.js'
import { callerFor, lawOf, SERVED } from './callers.js'
import { requestFor } from './tokens.js'

/** What a path begins with, and an object that every run has for it. */
const OBJECTS: readonly (readonly [prefix: string, find: (lab: Lab) => Promise<{ id: number }>])[] = [
  ['/chats/{id}', (lab) => lab.room()],
  ['/bots/{id}', (lab) => lab.helper()],
]

const findObject = ({ path }: Operation) => OBJECTS.find(([prefix]) => path.startsWith(prefix))?.[1]

function isReadable(operation: Operation): boolean {
  const { method, returns, params, path } = operation
  if (method !== 'GET' || !returns.body || returns.status !== 200) return false
  const names = Object.keys(params?.properties ?? {})
  return (
    names.length === 0 ||
    (names.join() === 'id' && findObject(operation) !== undefined && path !== '/bots/{id}')
  )
}

async function reads(lab: Lab, operation: Operation) {
  const caller = await callerFor(lab, operation)
  const find = findObject(operation)
  const params = operation.params && find ? { id: (await find(lab)).id } : undefined
  const answer = await caller.send(operation, { ...requestFor(operation), params })
  assert.equal(answer.status, 200, `${describeAnswer(answer)} where 200 was due`)
}

/** Of what is read without having been made first. */
export const readLaws: readonly Law[] = SERVED.filter(isReadable).map((operation) =>
  lawOf({
    name: 'read',
    rule: `${operation.id} answers those who may call it with 200.`,
    operation,
    run: (lab) => reads(lab, operation),
  }),
)
