import assert from 'node:assert/strict'
import { readlink } from 'node:fs/promises'
import { getPriority } from 'node:os'
import { basename } from 'node:path'
import { test } from 'node:test'
import { lowerPool } from './priority.js'

test('threads that work for requests give way to the event loop', {
  skip: process.platform !== 'linux',
}, async () => {
  const before = getPriority(process.pid)
  await lowerPool()
  const threads = await Promise.all(Array.from({ length: 32 }, () => readlink('/proc/thread-self')))
  for (const thread of threads) assert.ok(getPriority(Number(basename(thread))) >= 10)
  assert.equal(getPriority(process.pid), before)
})
