import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { OPERATIONS, type Operation } from '@parley/contract'
import { startSandbox } from './start.js'
import { recordCalls } from './testing-record.js'
import { walk } from './testing-tour.js'

const KEPT = new URL('../../data/examples.json', import.meta.url)

/** What is there, whatever its value. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shapeOf(one)]))
}

test('the examples of the reference are what is sent and answered, for every operation', async (t) => {
  const sandbox = await startSandbox({
    port: 0,
    env: { PARLEY_LOG_LEVEL: 'silent', PARLEY_OUTBOUND_ALLOW: '127.0.0.1' },
  })
  t.after(() => sandbox.stop())
  const recorded = await recordCalls(new URL(sandbox.base_url).origin, () => walk(t, sandbox))
  const lacking = OPERATIONS.filter(({ id, body, bodyOptional, returns }: Operation) => {
    const example = recorded[id]
    return (
      !example || (body && !bodyOptional && !example.request) || (returns.body && !('response' in example))
    )
  })
  assert.deepEqual(
    lacking.map(({ id }) => id),
    [],
    'call them in testing-tour*.ts, and print the examples with PARLEY_PRINT_EXAMPLES=1',
  )
  // PARLEY_PRINT_EXAMPLES=1 keeps them instead of comparing.
  if (process.env.PARLEY_PRINT_EXAMPLES) await writeFile(KEPT, `${JSON.stringify(recorded, null, 1)}\n`)
  const kept = JSON.parse(await readFile(KEPT, 'utf8'))
  assert.deepEqual(shapeOf(recorded), shapeOf(kept))
})
