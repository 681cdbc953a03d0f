// Runs test files one after the other in this process, as the parent names them; each is a suite with the file's name.
import asyncHooks from 'node:async_hooks'
import { pathToFileURL } from 'node:url'

const LEFT_OPEN_MS = 5000

/** What each timer calls that is longer than that or repeats, and has not ended. Stacks would cost more than the timers. */
const timers = new Map()
const { setTimeout, setInterval, clearTimeout } = globalThis
globalThis.setTimeout = Object.assign((callback, wait_ms, ...args) => {
  if (!(wait_ms >= LEFT_OPEN_MS)) return setTimeout(callback, wait_ms, ...args)
  const call = (...given) => {
    timers.delete(timer)
    return callback(...given)
  }
  const timer = setTimeout(call, wait_ms, ...args)
  timers.set(timer, { name: `a timer of ${wait_ms} ms`, callback })
  return timer
}, setTimeout)
globalThis.setInterval = (callback, wait_ms, ...args) => {
  const timer = setInterval(callback, wait_ms, ...args)
  timers.set(timer, { name: `an interval of ${wait_ms} ms`, callback })
  return timer
}
globalThis.clearTimeout = globalThis.clearInterval = (timer) => {
  timers.delete(timer)
  clearTimeout(timer)
}

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

// A storage that was used follows every promise too, until it is told to end: Playwright has one, and its first file would
// make all later ones slower by a sixteenth.
const { AsyncLocalStorage } = asyncHooks
const storages = new Set()
for (const name of ['run', 'enterWith']) {
  const use = AsyncLocalStorage.prototype[name]
  AsyncLocalStorage.prototype[name] = function (...args) {
    storages.add(this)
    return use.apply(this, args)
  }
}

function endStorages() {
  for (const storage of storages) storage.disable()
  storages.clear()
}

async function load(path) {
  try {
    await import(pathToFileURL(path).href)
  } finally {
    following?.disable()
    // Node goes on to follow the end of each promise while another hook is enabled, and looks again when one is added.
    createHook({ init() {} })
      .enable()
      .disable()
  }
}

/** The file that each connection was first seen after. */
const madeBy = new WeakMap()
let last

function noteConnections() {
  for (const handle of process._getActiveHandles()) if (!madeBy.has(handle)) madeBy.set(handle, last)
}

function tellWhatIsOpen() {
  console.error('left open:', process.getActiveResourcesInfo())
  for (const [timer, { name, callback }] of timers)
    if (timer.hasRef()) console.error(`${name}, which calls ${String(callback).slice(0, 300)}`)
  for (const handle of process._getActiveHandles())
    if (handle.remotePort)
      console.error(
        `a connection from ${handle.localPort} to ${handle.remotePort}, made by ${madeBy.get(handle)}`,
      )
}

for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.prependListener(event, (error) => {
    console.error(`${event}:`, error)
    process.exit(1)
  })
}
process.on('message', ({ name, path }) => {
  noteConnections()
  endStorages()
  last = name
  following?.enable()
  describe(name, () => load(path))
})
process.on('disconnect', async () => {
  noteConnections()
  await closeShared()
  setTimeout(tellWhatIsOpen, LEFT_OPEN_MS).unref()
})
process.send({ type: 'ready' })
