import assert from 'node:assert/strict'
import { test } from 'node:test'
import { presence } from '../people/state.js'
import { frame } from '../testing/shapes.js'
import type { Change } from './changes.js'
import { createStore } from './store.js'

const online: Change = {
  type: 'live',
  me: 1,
  frame: frame('presence.changed', { user_id: 2, presence: 'active' }),
}

test('an answer comes with what was applied while it was on its way, and with nothing else', async () => {
  const { apply, hearing } = createStore({ presence })
  apply(online)
  let answer = (_: string) => {}
  const asked = new Promise<string>((resolve) => {
    answer = resolve
  })
  const taken = hearing(asked, (text, heard) => ({ text, heard: [...heard] }))
  apply(online)
  answer('late')
  // Applied after the answer came and before it is taken.
  apply({ type: 'signed_out' })
  assert.deepEqual(await taken, { text: 'late', heard: [online, { type: 'signed_out' }] })
})

test('an answer that failed is not taken, and one that was taken hears nothing more', async () => {
  const { apply, hearing } = createStore({ presence })
  let heardBy: readonly Change[] = []
  await assert.rejects(
    hearing(Promise.reject(new Error('refused')), () => assert.fail('taken')),
    /refused/,
  )
  await hearing(Promise.resolve(), (_, heard) => {
    heardBy = heard
  })
  apply(online)
  assert.deepEqual(heardBy, [])
})
