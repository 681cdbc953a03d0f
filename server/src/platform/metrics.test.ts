import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { listenLive } from '../live/testing-live.js'
import { world } from '../testing/world.js'

test('metrics tell of the process, its event loop, waiting deliveries and live streams', async (t) => {
  const w = await world(t)
  const { url, alice, bot, office, listen, drain, as } = w
  const read = async () => (await fetch(`${url}/metrics`)).text()
  const names = [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ]
  const before = await read()
  for (const name of names) assert.match(before, new RegExp(`^${name} `, 'm'))
  assert.match(before, /^parley_deliveries_waiting 0$/m)
  assert.match(before, /^parley_live_streams 0$/m)

  const hook = await listen(bot, ['message_new'])
  await hook.close()
  await alice.call(api.createMessage, { body: { message: { entity_id: office.id, content: 'hello' } } })
  await drain()
  await listenLive(t, w, await as(alice.id, { session: true }))
  const after = await read()
  assert.match(after, /^parley_deliveries_waiting 1$/m)
  assert.match(after, /^parley_live_streams 1$/m)
})
