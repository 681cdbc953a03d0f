import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Page } from '../testing/simulated/browser.js'
import {
  ALICE,
  BOB,
  checkStored,
  createWorld,
  keptKeys,
  play,
  REST_MS,
  rest,
  type Step,
  TABS,
  type World,
  write,
} from '../testing/simulated/outbox-world.js'

const RUNS = 60
const SEED = 1

const tab = fc.nat(TABS - 1)
const writes = fc.tuple(fc.constant('write'), tab, fc.constantFrom(1, 1, 2))
const passes = fc.tuple(fc.constant('pass'), fc.constantFrom(1, 5, 10, 20, 40, 80, 500, 2000, 20_000))
const sleeps = fc.tuple(fc.constant('sleep'), fc.constantFrom(1, 24))
const lines = fc.tuple(
  fc.constant('line'),
  fc.constantFrom('up', 'up', 'up', 'down', 'answers lost', 'refusing', 'failing', 'busy'),
)
const inTab = (...names: string[]) => fc.tuple(fc.constantFrom(...names), tab)
const around = (...names: string[]) => fc.tuple(fc.constantFrom(...names))
const signsIn = fc.tuple(fc.constant('sign in'), tab, fc.constantFrom(ALICE, ALICE, BOB))

/** So many of each, and waiting for a third of all. */
function stepsOf(...parts: [weight: number, arbitrary: fc.Arbitrary<unknown>][]) {
  const total = parts.reduce((sum, [weight]) => sum + weight, 0)
  const weighted = parts.map(([weight, arbitrary]) => ({ weight, arbitrary }))
  const step = fc.oneof(...weighted, {
    weight: Math.ceil(total / 2),
    arbitrary: passes,
  }) as fc.Arbitrary<Step>
  return fc.array(step, { minLength: 3, maxLength: 40 })
}

const everything = stepsOf(
  [8, writes],
  [1, fc.tuple(fc.constant('record'), tab)],
  [5, lines],
  [1, sleeps],
  [8, inTab('open', 'open', 'close', 'reload', 'reload', 'kill', 'freeze', 'thaw', 'retry', 'discard')],
  [1, inTab('sign out')],
  [3, signsIn],
  [2, around('session ends', 'cut', 'events forgotten', 'disk full', 'disk free')],
)
const crashes = stepsOf(
  [2, fc.tuple(fc.constant('record'), tab)],
  [8, writes],
  [4, inTab('open')],
  [4, inTab('kill', 'close', 'freeze', 'thaw')],
  [1, sleeps],
)
const people = stepsOf(
  [8, writes],
  [4, inTab('open', 'freeze', 'thaw')],
  [2, around('session ends')],
  [6, signsIn],
  [1, lines],
)
const steps = fc.oneof(everything, crashes, people)

test('nothing written is lost, doubled, reordered or sent by another, whatever happens meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(1_000_000), (taken, seed) => play(taken, seed)),
    { numRuns: RUNS, seed: SEED, includeErrorInReport: true },
  )
})

/** What chance decides, such as when a write arrives, is tried in many ways. */
async function tryAll(taken: readonly Step[], check: (world: World) => unknown = rest) {
  for (let seed = 1; seed <= 15; seed += 1) await play(taken, seed, check)
}

test('a page that was frozen sends nothing in the name of who signed in meanwhile', async () => {
  const away: Step[] = [['freeze', 0], ['session ends'], ['pass', 40_000]]
  const back: Step[] = [
    ['line', 'up'],
    ['sign in', 1, BOB],
    ['pass', 1000],
    ['thaw', 0],
    ['pass', 2000],
  ]
  const writing: Step[] = [
    ['open', 1],
    ['pass', 1000],
    ['line', 'failing'],
    ['write', 0, 1],
    ['pass', 500],
  ]
  await tryAll([...writing, ...away, ...back], checkStored)
})

test('what a tab has written before its process ended is sent by another tab', async () => {
  await tryAll([
    ['open', 1],
    ['pass', 2000],
    ['write', 1, 1],
    ['pass', 10],
    ['kill', 1],
  ])
})

test('an entry is gone when its answer came, also where the tab that got it ends right then', async () => {
  for (let seed = 1; seed <= 15; seed += 1) {
    const world = createWorld(seed)
    const { clock, browser, tabs, texts } = world
    await clock.pass(1000)
    tabs[1] = browser.open()
    await clock.pass(1000)
    write(world, 0, 1, false)
    while (tabs[0]?.client.outbox.value.length !== 0) await clock.pass(1)
    browser.kill(tabs[0])
    await clock.pass(REST_MS)
    assert.deepEqual([keptKeys(world, ALICE), texts.length], [[], 1], `seed ${seed}`)
  }
})

test('what a full disk did not take is there after the session has ended, and after a reload', async () => {
  await tryAll([['disk full'], ['session ends'], ['write', 0, 1], ['pass', 500], ['sign in', 0, ALICE]])
  await tryAll([['disk full'], ['line', 'down'], ['write', 0, 1], ['pass', 100], ['reload', 0]])
})

test('a full disk in a tab that does not lead keeps nothing from being sent', async () => {
  await tryAll([['open', 1], ['pass', 2000], ['disk full'], ['write', 1, 1], ['pass', 2000]], (world) => {
    assert.equal(world.server.stored.length, 1)
  })
})

test('a text that is sent as its page ends is a draft or a message afterwards, and never both where the page was left', async () => {
  const place = { entity_type: 'discussion', entity_id: 1 } as const
  const written = { content: 'a long thought', files: [], parent_message_id: null }
  for (let seed = 1; seed <= 60; seed += 1)
    for (const end of ['kill', 'close'] as const) {
      const { clock, server, browser, tabs } = createWorld(seed)
      const [page] = tabs as [Page]
      await clock.pass(1000)
      server.line = 'down'
      page.client.saveDraft(place, written)
      await clock.pass(1000)
      void page.client.sendMessage(place, { content: written.content })
      await clock.pass(seed)
      browser[end](page)
      await clock.pass(1000)
      // Writes what was left in local storage.
      browser.open()
      await clock.pass(1000)
      const [drafts, outbox] = ['drafts', 'outbox'].map((name) => browser.storage.stores.get(name)?.size ?? 0)
      assert.ok(drafts || outbox, `lost by ${end} after ${seed} ms`)
      if (end === 'close') assert.deepEqual([drafts, outbox], [0, 1], `after ${seed} ms`)
    }
})
