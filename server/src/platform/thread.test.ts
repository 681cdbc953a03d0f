import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createThread } from './thread.js'

/** Answers a number with its double, and anything else never. */
const DOUBLING = `
  import { parentPort } from 'node:worker_threads'
  parentPort.on('message', (n) => { while (typeof n !== 'number'); parentPort.postMessage(2 * n) })
  parentPort.postMessage('ready')`
const FILE = new URL(`data:text/javascript,${encodeURIComponent(DOUBLING)}`)

test('a question that is never answered ends its thread alone', async () => {
  const thread = createThread<number | string, number>(FILE, { time_ms: 4_000, memory_mb: 64 })
  const answers = [thread.ask(1), thread.ask('forever'), thread.ask(2)]
  assert.deepEqual(await Promise.all(answers), [2, undefined, 4])
})
