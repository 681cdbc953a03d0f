import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from './platform/config.js'
import { startServer } from './serve.js'
import { world } from './testing/world.js'

test('a worker tells how it is, and answers nothing else', async (t) => {
  const { ctx, clock } = await world(t)
  const config = { ...ctx.config, run: 'worker' as const, health_port: 0 }
  const worker = await startServer(config, { clock, log: pino({ level: 'silent' }), work: 'paused' })
  t.after(() => worker.stop())
  const ask = (path: string) => fetch(`${worker.url}${path}`)
  assert.equal((await ask('/livez')).status, 200)
  assert.equal((await ask('/readyz')).status, 200)
  assert.match(await (await ask('/metrics')).text(), /^parley_build_info/m)
  assert.equal((await ask('/v1/profile')).status, 404)
})

test('the former names of the roles are still read', () => {
  assert.equal(readConfig({ PARLEY_RUN: 'http' }).run, 'web')
  assert.equal(readConfig({ PARLEY_RUN: 'both' }).run, 'all')
  assert.throws(() => readConfig({ PARLEY_RUN: 'many' }), /PARLEY_RUN must be one of all, web, worker/)
})
