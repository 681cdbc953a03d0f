import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PersonPresence } from '@parley/contract'
import fc from 'fast-check'
import type { LiveFrame } from '../platform/changes.js'
import { frame } from '../testing/shapes.js'
import type { Browser, Page } from '../testing/simulated/browser.js'
import type { Clock } from '../testing/simulated/clock.js'
import { createScene } from '../testing/simulated/scene.js'
import type { Server } from '../testing/simulated/server.js'

const TABS = 3
const RUNS = 100
const SEED = 1
const REST_MS = 30_000

type Presence = PersonPresence['presence'] | 'offline'
type Step =
  | ['changes', user: number, presence: Presence]
  | ['open' | 'close' | 'freeze' | 'thaw', tab: number]
  | ['pass', ms: number]
  | ['cut' | 'slow' | 'fast' | 'events forgotten']

const presences = fc.constantFrom<Presence>('active', 'away', 'offline')
const step = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.constant('changes'), fc.integer({ min: 2, max: 4 }), presences) },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.constantFrom('open', 'open', 'close', 'freeze', 'thaw'), fc.nat(TABS - 1)),
  },
  { weight: 4, arbitrary: fc.tuple(fc.constantFrom('cut', 'cut', 'slow', 'fast', 'events forgotten')) },
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
}

function createWorld(seed: number): World {
  const { clock, server, browser } = createScene(seed, 9)
  return { clock, server, browser, tabs: [browser.open()] }
}

function change({ server }: World, user_id: number, presence: Presence) {
  const others = server.online.filter((one) => one.user_id !== user_id)
  server.online = presence === 'offline' ? others : [...others, { user_id, presence }]
  server.tell(
    frame('presence.changed', { user_id, presence } as LiveFrame['payload'], { chat_id: null }),
    true,
  )
}

function take(world: World, [name, argument = 0, presence = 'offline']: [string, number?, Presence?]) {
  const { clock, server, browser, tabs } = world
  const page = tabs[argument]
  if (name === 'pass') return clock.pass(argument)
  if (name === 'changes') change(world, argument, presence)
  if (name === 'open') tabs[argument] ??= browser.open()
  if (name === 'cut') server.cut()
  if (name === 'slow' || name === 'fast') server.slow_ms = name === 'slow' ? 4000 : 60
  if (name === 'events forgotten') server.forgetEvents()
  if (page && (name === 'freeze' || name === 'thaw')) browser[name](page)
  if (page && name === 'close') {
    browser.close(page)
    tabs[argument] = undefined
  }
  return clock.pass(0)
}

const sorted = (people: Iterable<[number, string]>) => [...people].sort(([one], [other]) => one - other)

function check({ browser, server }: World) {
  const online = sorted(server.online.map(({ user_id, presence }) => [user_id, presence]))
  for (const page of browser.pages())
    if (page.life === 'alive')
      assert.deepEqual(sorted(page.client.state.presence.value), online, `who is online in tab ${page.id}`)
}

async function play(taken: readonly Step[], seed: number) {
  const world = createWorld(seed)
  for (const one of taken) await take(world, one as [string, number?, Presence?])
  world.server.slow_ms = 60
  await world.clock.pass(REST_MS)
  check(world)
  for (const page of world.browser.pages()) if (page.life === 'frozen') world.browser.thaw(page)
  await world.clock.pass(REST_MS)
  check(world)
}

test('every tab shows who is online, whatever was missed and however late an answer comes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 40 }), fc.nat(1_000_000), play),
    { numRuns: RUNS, seed: SEED, includeErrorInReport: true },
  )
})

test('a tab that comes back from being frozen tells the others nothing that is no longer true', async () => {
  for (let seed = 1; seed <= 10; seed += 1)
    await play(
      [
        ['open', 1],
        ['pass', 2000],
        ['freeze', 0],
        ['changes', 2, 'active'],
        ['pass', 20_000],
        ['changes', 2, 'offline'],
        ['pass', 1000],
        ['thaw', 0],
      ],
      seed,
    )
})

test('a tab that opens while another one leads shows who is online', async () => {
  const change: Step = ['changes', 2, 'active']
  for (let seed = 1; seed <= 10; seed += 1) await play([change, ['pass', 1000], ['open', 1]], seed)
})

test('an answer that was asked for before the stream was lost does not take the place of a later one', async () => {
  const lost: Step[] = [['slow'], ['cut'], ['pass', 5000], ['cut'], ['changes', 2, 'offline']]
  for (let seed = 1; seed <= 30; seed += 1)
    await play([['pass', 200], ['changes', 2, 'active'], ...lost], seed)
})
