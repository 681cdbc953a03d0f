import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from './operation.js'
import { OPERATIONS } from './operations.js'
import { problemCodes, problemStatuses } from './refusals.js'

/** Redirects, failed authentication, rate limits and media types: their answers carry no codes of ours. */
const WITHOUT_CODES = [302, 303, 401, 415, 429]

/** Refuses with pages, OAuth errors, or the plain text of a file storage. */
function hasOwnShape({ external, oauthErrors, returns }: Operation): boolean {
  return external || oauthErrors || returns.media === 'text/html'
}

test('every refusal names the codes that it may carry', () => {
  const empty = OPERATIONS.filter((operation) => !hasOwnShape(operation)).flatMap((operation) =>
    problemStatuses(operation)
      .filter((status) => !WITHOUT_CODES.includes(status) && !operation.neverAnswered?.includes(status))
      .filter((status) => problemCodes(operation, status).length === 0)
      .map((status) => `${operation.id} ${status}`),
  )
  assert.deepEqual(empty, [])
})

test('a status that is never answered has no codes', () => {
  for (const operation of OPERATIONS)
    for (const status of operation.neverAnswered ?? [])
      assert.deepEqual([operation.id, operation.problems?.[status]], [operation.id, undefined])
})
