import assert from 'node:assert/strict'
import { EVENTS } from '@parley/contract'
import { Ajv } from 'ajv'
import { expandEvent } from '../messages/expand-event.js'
import type { RelayedEvent } from '../platform/events/relay.js'
import type { StageContext } from './stage.js'

// Optimizing the code of a check takes longer than a run of tests gains by it.
const code = { optimize: false }
const ajv = new Ajv({ strict: false, allowUnionTypes: true, validateFormats: false, code })
const checks = new Map<string, ReturnType<typeof ajv.compile>>(
  EVENTS.map(({ type, payload }) => [type, ajv.compile({ ...payload, additionalProperties: false })]),
)

/** In tests every event is held against its kind: a type or a field that is not declared is a failure. */
export async function checkEvents({ db, pool }: StageContext) {
  // A test that stopped its server itself has closed the pool too.
  if (pool.ended) return
  const rows = await db.selectFrom('events').selectAll().orderBy('id').execute()
  for (const row of rows) {
    const { type, payload } = expandEvent(row as unknown as RelayedEvent)
    const check = checks.get(type)
    assert.ok(check, `event ${type} is not declared`)
    assert.ok(check(payload), `${type}: ${ajv.errorsText(check.errors)}`)
  }
}
