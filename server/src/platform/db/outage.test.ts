import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { getProfile } from '@parley/contract'
import { world } from '../../testing/world.js'
import { rows } from './index.js'

test('what is kept of rows goes when the database is lost, and when it is back', async (t) => {
  // A server of its own, since all its connections are ended.
  const { ctx, alice } = await world(t, { env: { PARLEY_POOL_SIZE: '7' } })
  let forgotten = 0
  ctx.resets.addKept(() => {
    forgotten += 1
  })
  await alice.call(getProfile)
  await rows(
    ctx.pool,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
  const deadline = Date.now() + 30_000
  while (forgotten < 2) {
    assert.ok(Date.now() < deadline, `${forgotten} times`)
    await wait(20)
  }
  assert.equal((await alice.call(getProfile)).data.id, alice.id)
})
