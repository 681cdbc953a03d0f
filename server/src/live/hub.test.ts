import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '../platform/actor.js'
import { world } from '../testing/world.js'
import { createHub } from './hub.js'

test('a stream that ends and one that opens at once leave nothing running behind them', async (t) => {
  const { ctx, alice } = await world(t)
  const made = t.mock.method(globalThis, 'setInterval')
  const cleared = t.mock.method(globalThis, 'clearInterval')
  const hub = createHub(ctx, { joined() {}, left() {} }, () => {})
  const actor = { user_id: alice.id } as Actor
  const open = () => {
    let end = () => {}
    const ready = new Promise<void>((resolve) => {
      const send = () => {
        resolve()
        return true
      }
      const check = async () => ({ actor, epoch: 0, until_ms: 0 })
      end = hub.open({ actor, check, send, drained: async () => {}, end() {} }, null)
    })
    return { ready, end }
  }
  for (let times = 0; times < 3; times += 1) open().end()
  const last = open()
  await last.ready
  last.end()
  hub.close()
  const timers = made.mock.calls.map(({ result }) => result)
  assert.equal(timers.length, 1)
  const ended = cleared.mock.calls.map(({ arguments: [timer] }) => timer)
  for (const timer of timers) assert.ok(ended.includes(timer))
})
