import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Progress, runSteps, STEPS, type Step } from './check-steps.js'

const steps = (broken: Step | null, ran: Step[] = []) =>
  Object.fromEntries(
    STEPS.map((step) => [
      step,
      async () => {
        ran.push(step)
        if (step === broken) throw new Error('why')
      },
    ]),
  ) as Record<Step, () => Promise<void>>

test('every step of the delivery is checked in order', async () => {
  const ran: Step[] = []
  assert.equal(await runSteps(steps(null, ran), {}, () => {}), null)
  assert.deepEqual(ran, STEPS)
})

test('each broken step is named, with its reason, and nothing after it is tried', async () => {
  for (const [index, broken] of STEPS.entries()) {
    const ran: Step[] = []
    const told: Progress[] = []
    assert.equal(await runSteps(steps(broken, ran), {}, (progress) => told.push(progress)), broken)
    assert.deepEqual(ran, STEPS.slice(0, index + 1))
    const { states, reason } = told.at(-1) as Progress
    assert.deepEqual([states[broken], reason], ['failed', 'why'])
    assert.ok(
      STEPS.every((step, at) => states[step] === (at < index ? 'ok' : at > index ? 'waiting' : 'failed')),
    )
  }
})
