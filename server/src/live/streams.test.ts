import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actingFor } from '../platform/actor.js'
import { world } from '../testing/world.js'
import { CHECK_PARTS, createStreams, type Listener } from './streams.js'

test('a round of checks asks every stream once, a part of them at a time, and ends those whose tokens are gone', async (t) => {
  const { ctx } = await world(t)
  const watcher = { joined() {}, left() {} }
  const streams = createStreams(ctx, watcher, () => {})
  const asked: number[] = []
  const [sent, ended] = [new Set<number>(), new Set<number>()]
  for (let n = 0; n < 30; n += 1) {
    const actor = actingFor(1000 + n, 'user', 'standard')
    const listener: Listener = {
      actor,
      async check() {
        asked.push(n)
        if (n % 10 === 0) throw new Error('revoked')
        return { actor, epoch: 1, until_ms: Number.POSITIVE_INFINITY }
      },
      send: () => Boolean(sent.add(n)),
      drained: async () => {},
      end: () => void ended.add(n),
    }
    streams.add(listener)
  }
  for (let part = 0; part < CHECK_PARTS; part += 1) {
    const before = asked.length
    await streams.keepAlive()
    assert.ok(asked.length - before <= 2)
  }
  assert.deepEqual(asked, [...Array(30).keys()])
  assert.deepEqual([...ended], [0, 10, 20])
  assert.deepEqual(
    [...sent],
    asked.filter((n) => n % 10 !== 0),
  )
  assert.equal(streams.open.size, 27)
})
