import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  formCopies,
  messageCopies,
  moved,
  newBlock,
  placeOf,
  readOptions,
  setButton,
  writeOptions,
} from './design.js'

test('choices are lines, and keep what their lines do not say', () => {
  const options = [
    { value: 'a', text: 'Annual', description: 'Paid', checked: true },
    { value: 'sick', text: 'sick' },
  ]
  assert.equal(writeOptions(options), 'a = Annual\nsick')
  assert.deepEqual(readOptions('a = Yearly = x\n\nsick', options), [
    { value: 'a', text: 'Yearly = x', description: 'Paid', checked: true },
    { value: 'sick', text: 'sick' },
  ])
})

test('a new field has a name of its own', () => {
  const first = newBlock('input', 'Why', [])
  assert.deepEqual(newBlock('date', 'Day', [first]), { type: 'date', name: 'field2', label: 'Day' })
})

test('blocks move by a step and stay at the ends; the last button of a row takes the row away', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 2, -1), ['a', 'c', 'b'])
  assert.deepEqual(moved(['a', 'b'], 0, -1), ['a', 'b'])
  assert.deepEqual(moved(['a', 'b'], 1, 1), ['a', 'b'])
  const rows = [[{ text: 'x' }], [{ text: 'y' }, { text: 'z' }]]
  assert.deepEqual(setButton(rows, 0, 0, null), [[{ text: 'y' }, { text: 'z' }]])
  assert.deepEqual(setButton(rows, 1, 1, { text: 'w' })[1], [{ text: 'y' }, { text: 'w' }])
})

test('a design is copied as JSON, for the shell and for the SDK', (t) => {
  Object.assign(globalThis, { location: { origin: 'https://chat.example.org' } })
  t.after(() => Object.assign(globalThis, { location: undefined }))
  const [json, curl, sdk] = messageCopies({ content: "it's done", buttons: [] })
  assert.deepEqual(JSON.parse(json?.text ?? ''), { message: { entity_id: 1, content: "it's done" } })
  assert.match(curl?.text ?? '', /^curl https:\/\/chat\.example\.org\/v1\/messages [\s\S]*it'\\''s done/)
  assert.match(sdk?.text ?? '', /parley\.createMessage\(/)
  assert.match(formCopies({ title: 'Leave', blocks: [] })[2]?.text ?? '', /parley\.openView\(/)
})

test('a refusal is put to the block that it is about', () => {
  const fault = (key: string) => ({ key, value: null, code: 'blank', message: '' })
  assert.deepEqual(placeOf(fault('view.blocks.2.options.0.text')), { block: 3, part: 'options.0.text' })
  assert.deepEqual(placeOf(fault('view.title')), { block: null, part: 'title' })
})
