import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { frame } from '../testing/shapes.js'
import type { Browser, Page } from '../testing/simulated/browser.js'
import type { Clock } from '../testing/simulated/clock.js'
import { createScene } from '../testing/simulated/scene.js'
import type { Server } from '../testing/simulated/server.js'

const TABS = 4
const RUNS = 200
const SEED = 1
/** Silence, a question, an answer that does not come, and a connection. */
const TAKEN_OVER_MS = 20_000
/** The longest pause between two attempts to read everything, and the reading. */
const NOTICED_MS = 10_000
/** As long as two tabs may hold a stream: the one that lost the lead hears of it and lets go. */
const TWO_MS = 1000

type Step =
  | ['open' | 'close' | 'kill' | 'freeze' | 'thaw', tab: number]
  | ['pass', ms: number]
  | ['happens' | 'cut' | 'down' | 'up' | 'slow' | 'fast' | 'events forgotten']

const step = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.constant('happens')) },
  {
    weight: 6,
    arbitrary: fc.tuple(
      fc.constantFrom('open', 'open', 'open', 'close', 'kill', 'freeze', 'freeze', 'thaw'),
      fc.nat(TABS - 1),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('cut', 'down', 'up', 'slow', 'fast', 'events forgotten')),
  },
  {
    weight: 8,
    arbitrary: fc.tuple(fc.constant('pass'), fc.constantFrom(1, 10, 40, 200, 1000, 5000, 20_000)),
  },
) as fc.Arbitrary<Step>

interface World {
  clock: Clock
  server: Server
  browser: Browser
  tabs: (Page | undefined)[]
  /** Up to which event each page knows everything. */
  known: Map<Page, number>
  /** Since when two pages hold a stream. */
  two_since: number | null
  /** Events that came twice or out of order. */
  faults: string[]
}

function createWorld(seed: number): World {
  const { clock, server, browser } = createScene(seed, 9)
  const world = { clock, server, browser, tabs: [], known: new Map(), two_since: null, faults: [] }
  return world
}

/** Follows the stream, and notes what it hears: each event once, in order, from where everything was read. */
function followIn({ known, faults }: World, page: Page) {
  const { openLive, call } = page.client
  openLive({
    async read() {
      const { data } = await call('getStart')
      known.set(page, Math.max(known.get(page) ?? 0, Number(data.position)))
      return data.position
    },
    onFrames(frames) {
      for (const { payload } of frames) {
        const expected = (known.get(page) ?? 0) + 1
        if (payload.number !== expected)
          faults.push(`tab ${page.id}: ${payload.number} instead of ${expected}`)
        known.set(page, expected)
      }
    },
    onReady() {},
    onMissed() {},
    onSignedOut: () => faults.push('signed out'),
    work: (ending) => new Promise((resolve) => ending.addEventListener('abort', () => resolve())),
  })
}

function happens({ server }: World) {
  server.tell(frame('something.happened', { number: server.position() + 1 }))
}

function take(world: World, [name, argument = 0]: Step) {
  const { clock, server, browser, tabs } = world
  const page = tabs[argument]
  if (name === 'pass') return pass(world, argument)
  if (name === 'open' && !page) tabs[argument] = browser.open((opened) => followIn(world, opened))
  if (name === 'happens') happens(world)
  if (name === 'cut' || name === 'down') server.cut()
  if (name === 'down' || name === 'up') server.line = name
  if (name === 'slow' || name === 'fast') server.slow_ms = name === 'slow' ? 4000 : 60
  if (name === 'events forgotten') server.forgetEvents()
  if (page && (name === 'freeze' || name === 'thaw')) browser[name](page)
  if (page && (name === 'close' || name === 'kill')) {
    browser[name](page)
    tabs[argument] = undefined
  }
  return clock.pass(0)
}

async function pass(world: World, ms: number) {
  const { clock, server } = world
  await clock.pass(ms, () => {
    const alive = new Set(server.streaming().filter(({ life }) => life === 'alive'))
    if (alive.size < 2) world.two_since = null
    else world.two_since ??= clock.now()
    const for_ms = clock.now() - (world.two_since ?? clock.now())
    assert.ok(for_ms <= TWO_MS, `${alive.size} tabs hold a stream for ${for_ms} ms`)
  })
}

function checkAll({ browser, server, known, faults }: World, when: string) {
  assert.deepEqual(faults, [])
  for (const page of browser.pages())
    if (page.life === 'alive') {
      assert.equal(known.get(page), server.position(), `tab ${page.id} ${when}`)
      assert.equal(page.client.connection.value, 'online', `tab ${page.id} ${when}`)
    }
}

async function rest(world: World) {
  const { server, browser } = world
  server.line = 'up'
  server.slow_ms = 60
  await pass(world, TAKEN_OVER_MS)
  happens(world)
  await pass(world, NOTICED_MS)
  checkAll(world, 'while others are frozen')
  for (const page of browser.pages()) if (page.life === 'frozen') browser.thaw(page)
  happens(world)
  await pass(world, NOTICED_MS)
  checkAll(world, 'when all are back')
  const open = browser.pages()
  assert.equal(new Set(server.streaming()).size, Math.min(1, open.length), 'tabs that hold a stream')
  assert.equal(server.streaming()[0], browser.locks.holder('parley-live'))
}

async function play(taken: readonly Step[], seed: number) {
  const world = createWorld(seed)
  for (const one of taken) await take(world, one)
  await rest(world)
}

test('tabs that come, go and freeze hear each event once and in order, from one of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 40 }), fc.nat(1_000_000), play),
    { numRuns: RUNS, seed: SEED, includeErrorInReport: true },
  )
})

test('a tab that was frozen while it led hears from the tab that leads now', async () => {
  for (let seed = 1; seed <= 10; seed += 1)
    await play([['open', 0], ['pass', 20_000], ['freeze', 0], ['open', 1], ['happens']], seed)
})

test('what a tab says of its connection before it knows that it lost the lead stays in no other tab', async () => {
  const three: Step[] = [
    ['open', 1],
    ['pass', 5000],
    ['open', 2],
    ['freeze', 1],
    ['open', 0],
  ]
  for (let seed = 1; seed <= 40; seed += 1) await play([...three, ['cut'], ['pass', 1]], seed)
})

test('a device that loses its network says so at once, and the stream goes on when it is back', async () => {
  const world = createWorld(1)
  const { server, browser } = world
  await take(world, ['open', 0])
  await pass(world, 5000)
  const [page] = browser.pages() as [Page]
  checkAll(world, 'before')
  server.line = 'down'
  page.events.dispatchEvent(new Event('offline'))
  await pass(world, 10)
  assert.equal(page.client.connection.value, 'offline')
  await rest(world)
})
