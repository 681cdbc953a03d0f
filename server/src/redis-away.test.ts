import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, listPresence } from '@parley/contract'
import { listenLive } from './live/testing-live.js'
import { saying } from './messages/testing-saying.js'
import { world } from './testing/world.js'

test('without Redis people write, hear one another and see who is there, within limits that each process counts', async (t) => {
  // Nothing listens on port 1.
  const w = await world(t, { env: { REDIS_URL: 'redis://127.0.0.1:1' }, limits: true, working: true })
  w.clock.freeze(true)
  const alice = await w.as(w.alice.id, { session: true })
  const stream = await listenLive(t, w, alice)
  const send = (n: number) => w.bob.call(createMessage, saying(w.office.id, `message ${n}`))
  const sent = await Promise.allSettled(Array.from({ length: 10 }, (_, n) => send(n)))
  assert.equal(sent.filter(({ status }) => status === 'fulfilled').length, 4)
  await stream.until(({ event }) => event === 'message.created')
  assert.deepEqual((await alice.call(listPresence)).data, [{ user_id: w.alice.id, presence: 'active' }])
})
