import assert from 'node:assert/strict'
import { test } from 'node:test'

const { torture } = await import(new URL('../../bench/torture/run.mjs', import.meta.url).href)

test('nothing is lost or doubled when servers and the database are killed', async () => {
  const seed = Number(process.env.TORTURE_SEED ?? Math.floor(Math.random() * 1_000_000))
  const result = await torture({ kills: 3, seed, faults_each: 1 })
  assert.deepEqual(result.faults, [], `npm run torture -- --kills 3 --seed ${seed}`)
  assert.equal(result.killed.servers + result.killed.database, 3)
  assert.ok(result.answered > 0 && result.webhooks > 0 && result.planned > 0)
})
