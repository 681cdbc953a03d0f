import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saysNoSession } from './no-session.js'

const timing = (description: string) => [{ name: 'session', description }]
const page = { type: 'navigate', transferSize: 300, serverTiming: timing('none') }

test('nobody is signed in where the page itself says so, and not one from a cache', () => {
  assert.ok(saysNoSession(page))
  assert.ok(saysNoSession({ ...page, type: 'reload' }))
  assert.ok(!saysNoSession({ ...page, serverTiming: timing('sent') }))
  assert.ok(!saysNoSession({ ...page, serverTiming: [] }))
  assert.ok(!saysNoSession({ ...page, type: 'back_forward' }))
  assert.ok(!saysNoSession({ ...page, transferSize: 0 }))
  assert.ok(!saysNoSession({ type: 'navigate', transferSize: 300 }))
  assert.ok(!saysNoSession(undefined))
})
