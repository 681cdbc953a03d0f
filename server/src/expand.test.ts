import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATIONS } from '@parley/contract'
import { everyWrite, send, type ValidCall } from './testing/every-write.js'
import { world } from './testing/world.js'

/** Lists and own things: reads that need nothing but a caller. */
const READS: ValidCall[] = OPERATIONS.filter(
  ({ method, path, roles, sandbox, returns }) =>
    method === 'GET' && !path.includes('{') && roles.length > 0 && !sandbox && returns.media === undefined,
).map((operation) => ({ operation }))

test('a server goes on while the migrations of the next version widen every table under it', async (t) => {
  const scene = await world(t, { env: {} })
  const { ctx, owner } = scene
  const faults: string[] = []
  async function callAll(calls: ValidCall[]) {
    for (const call of calls) {
      const { status, text } = await send(scene, call.by ?? owner, call)
      if (status >= 500) faults.push(`${call.operation.id}: ${status} ${text.slice(0, 200)}`)
    }
  }
  // Statements are prepared: those of the reads, and of the writes that make the scene.
  const writes = await everyWrite(scene)
  await callAll(READS)
  const { rows: tables } = await ctx.pool.query(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and not relispartition`,
  )
  for (const { name } of tables)
    await ctx.pool.query(`alter table "${name}" add column of_the_next_version int`)
  await callAll([...READS, ...writes])
  await scene.drain()
  assert.deepEqual(faults, [])
})
