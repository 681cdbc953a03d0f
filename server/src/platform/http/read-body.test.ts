import assert from 'node:assert/strict'
import { once } from 'node:events'
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
      const request = Object.assign(Readable.from([Buffer.alloc(200_000)]), { complete: true, headers: {} })
      const bytes = await readBytes(request as unknown as IncomingMessage)
      assert.equal(bytes.length, 200_000)
      return turn
    }),
  )
  assert.equal(new Set(turns).size, 5)
})

test('a body that is not there within a minute is given up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const begun = new Readable({ read() {} })
  begun.push('{"mess')
  const request = Object.assign(begun, { complete: false, headers: { 'content-length': '100' } })
  const reading = readBytes(request as unknown as IncomingMessage)
  t.mock.timers.tick(60_000)
  await assert.rejects(reading, { status: 400, message: 'wrong_params' })
})

test('a body that came whole with its headers is read at once, within its limit', async () => {
  const arrived = (text: string) => {
    const request = new Readable({ read() {} })
    request.push(text)
    request.push(null)
    const headers = { 'content-length': String(text.length) }
    return Object.assign(request, { complete: true, headers }) as unknown as IncomingMessage
  }
  const request = arrived('{"a":1}')
  assert.equal(String(await readBytes(request)), '{"a":1}')
  await once(request, 'end')
  await assert.rejects(readBytes(arrived('x'.repeat(11)), 10), { status: 413 })
})
