import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { listenLive } from '../live/testing-live.js'
import { world } from '../testing/world.js'
import { createMetrics } from './metrics.js'

test('metrics tell of the process, its event loop, waiting deliveries and live streams', async (t) => {
  // A server of its own: on a shared one the stream of a browser that was just closed may still be counted.
  const w = await world(t, { env: {} })
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

test('requests are counted by operation, status and how long they took', async () => {
  const { requests, registry } = createMetrics()
  for (const seconds of [0.001, 0.002, 0.3, 60]) requests.note('getChat', 200, seconds)
  requests.note('getChat', 404, 0.004)
  const text = await registry.getSingleMetricAsString('parley_request_seconds')
  const of = (status: number, name: string) =>
    text
      .split('\n')
      .filter((line) => line.includes(`operation="getChat",status="${status}"`) && line.includes(name))
      .map((line) => Number(line.split(' ').at(-1)))
  assert.match(text, /^# TYPE parley_request_seconds histogram$/m)
  assert.deepEqual(of(200, '_bucket'), [1, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4])
  assert.deepEqual(of(404, '_bucket').slice(0, 3), [0, 0, 1])
  assert.match(text, /^parley_request_seconds_bucket\{le="\+Inf",operation="getChat",status="200"\} 4$/m)
  assert.deepEqual([...of(200, '_sum'), ...of(200, '_count')], [60.303, 4])
})
