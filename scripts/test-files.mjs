// Runs test files one after the other in this process, as the parent names them; each is a suite with the file's name.
import asyncHooks from 'node:async_hooks'
import { pathToFileURL } from 'node:url'

const LEFT_OPEN_MS = 5000

// Node's test runner follows every promise to the test that made it, which takes a seventh of the CPU time of a run. It
// needs that while a file is loaded, to find the suite of each test. Later it would only find the test to fail for an
// error that nobody caught: instead such an error ends this process, and the parent reports the file with it.
const { createHook } = asyncHooks
let following
asyncHooks.createHook = (callbacks) => {
  following = createHook(callbacks)
  return following
}
const { describe } = await import('node:test')
const { closeShared } = await import('../server/dist/testing/stage.js')

async function load(path) {
  try {
    await import(pathToFileURL(path).href)
  } finally {
    following?.disable()
  }
}

for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.prependListener(event, (error) => {
    console.error(`${event}:`, error)
    process.exit(1)
  })
}
process.on('message', ({ name, path }) => {
  following?.enable()
  describe(name, () => load(path))
})
process.on('disconnect', async () => {
  await closeShared()
  setTimeout(() => console.error('left open:', process.getActiveResourcesInfo()), LEFT_OPEN_MS).unref()
})
process.send({ type: 'ready' })
