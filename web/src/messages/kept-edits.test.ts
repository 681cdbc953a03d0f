import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { message } from '../testing/shapes.js'
import { countEdits, dropEdit, editedText, forgetEdits, keepEdit, openEdits } from './kept-edits.js'
import { editing } from './quoting.js'

/** What a tab keeps over a reload; Node has none. */
function keepInTab(t: TestContext) {
  const items = new Map<string, string>()
  const sessionStorage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
  Object.assign(globalThis, { sessionStorage })
  t.after(() => Reflect.deleteProperty(globalThis, 'sessionStorage'))
  return items
}

const [ANNA, BORIS] = [1, 2]
const DAY_MS = 86_400_000

test('a reload goes on with the edit that was written last, and knows the others', (t) => {
  const items = keepInTab(t)
  openEdits(ANNA)
  keepEdit(message(7), 'seven')
  keepEdit(message(8), 'eight')
  keepEdit(message(7), 'seven, changed')
  openEdits(ANNA)
  assert.equal(editing.value?.id, 7)
  assert.deepEqual([message(7), message(8), message(9)].map(editedText), [
    'seven, changed',
    'eight',
    'message 9',
  ])

  keepEdit(message(7), 'message 7')
  openEdits(ANNA)
  assert.deepEqual([editing.value?.id, countEdits()], [8, 1], 'a text as it was is no edit')
  dropEdit(8)
  openEdits(ANNA)
  assert.equal(editing.value, null)
  assert.equal(items.size, 0)
})

test('an edit is not shown to somebody else, nor after a day, nor where the person has signed out', (t) => {
  const items = keepInTab(t)
  openEdits(ANNA)
  keepEdit(message(7), 'seven')
  openEdits(BORIS)
  assert.deepEqual([editing.value, editedText(message(7)), items.size], [null, 'message 7', 0])

  t.mock.timers.enable({ apis: ['Date'], now: 10 * DAY_MS })
  keepEdit(message(7), 'seven')
  t.mock.timers.setTime(11 * DAY_MS + 1)
  openEdits(BORIS)
  assert.deepEqual([editing.value, countEdits()], [null, 0])

  keepEdit(message(7), 'seven')
  forgetEdits()
  openEdits(BORIS)
  assert.deepEqual([editing.value, countEdits(), items.size], [null, 0, 0])
})

test('what cannot be read or kept stops nobody from editing', (t) => {
  const items = keepInTab(t)
  items.set('parley-edits', '{')
  openEdits(ANNA)
  assert.equal(editing.value, null)
  Object.assign(globalThis.sessionStorage, {
    setItem() {
      throw new Error('no room')
    },
  })
  keepEdit(message(7), 'seven')
  assert.equal(editedText(message(7)), 'seven')
})
