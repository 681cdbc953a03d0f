import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { View } from '@parley/contract'
import fc from 'fast-check'
import { at, frame } from '../testing/shapes.js'
import { createScene } from '../testing/simulated/scene.js'

const ME = 9
const RUNS = 100
const SEED = 1

const viewOf = (id: string): View => ({
  ...{ id, bot_id: 5, chat_id: 1, title: id, close_text: 'Cancel', submit_text: 'Submit', blocks: [] },
  opened_at: at(0),
  expires_at: at(60),
})

type Step = ['open' | 'close', id: string] | ['pass', ms: number]
const id = fc.constantFrom('one', 'other')
const step = fc.oneof(
  fc.tuple(fc.constantFrom('open', 'close'), id),
  fc.tuple(fc.constant('pass'), fc.constantFrom(1, 20, 50, 100)),
) as fc.Arbitrary<Step>

async function play(steps: readonly Step[], seed: number) {
  const { clock, server, browser } = createScene(seed, ME)
  let open: View[] = []
  server.answers.set('listViews', () => ({ data: open }))
  const { client } = browser.open()
  await clock.pass(1000)
  for (const [name, what] of steps) {
    if (name === 'pass') {
      await clock.pass(what as number)
      continue
    }
    const others = open.filter((view) => view.id !== what)
    if (name === 'close' && others.length === open.length) continue
    open = name === 'open' ? [viewOf(what as string), ...others] : others
    server.tell(frame(`view.${name === 'open' ? 'opened' : 'closed'}`, { view_id: what }))
  }
  await clock.pass(10_000)
  assert.deepEqual(client.state.views.value, open)
}

test('the forms on the screen are those that are open, however fast they come and go', async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 20 }), fc.nat(1_000_000), play), {
    numRuns: RUNS,
    seed: SEED,
    includeErrorInReport: true,
  })
})
