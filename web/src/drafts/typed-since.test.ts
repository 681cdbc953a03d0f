import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTHING, type Written } from './device.js'
import { typedSince } from './typed-since.js'

const file = (key: string) => ({ key, name: key, file_type: 'file', size: 1 }) as const
const written = (content: string, more: Partial<Written> = {}): Written => ({ ...NOTHING, content, ...more })

test('what was typed after a text that was scheduled stays', () => {
  const since = (gone: string, now: string) => typedSince(written(gone), written(now)).content
  assert.equal(since('Hello', 'Hello'), '')
  assert.equal(since('Hello ', 'Hello'), '')
  assert.equal(since(' Hello', 'Hello'), '')
  assert.equal(since('Hello', 'Hello\n\nAnd more '), 'And more ')
  assert.equal(since('Hello ', 'Hello and more'), 'and more')
  assert.equal(since('Hello', 'Well, hello'), 'Well, hello')
  assert.equal(since('Hello', ''), '')
  assert.equal(since('', 'More'), 'More')
})

test('so do files and the message that is answered', () => {
  const gone = written('Hello', { files: [file('a')], parent_message_id: 1 })
  assert.deepEqual(typedSince(gone, gone), NOTHING)
  const now = { ...gone, files: [file('a'), file('b')], parent_message_id: 2 }
  assert.deepEqual(typedSince(gone, now), { content: '', files: [file('b')], parent_message_id: 2 })
})
