import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { readBytes } from './read-body.js'

test('large bodies that are there together are handed on one a turn of the event loop', async (t) => {
  let turn = 0
  const next = () => {
    turn += 1
    turning = setImmediate(next)
  }
  let turning = setImmediate(next)
  t.after(() => clearImmediate(turning))
  const turns = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const request = Object.assign(Readable.from([Buffer.alloc(200_000)]), { complete: true })
      const bytes = await readBytes(request as unknown as IncomingMessage)
      assert.equal(bytes.length, 200_000)
      return turn
    }),
  )
  assert.equal(new Set(turns).size, 5)
})
