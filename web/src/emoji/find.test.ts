import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Emoji, findEmoji } from './find.js'

const read = (locale: string): Emoji[] =>
  JSON.parse(readFileSync(new URL(`../../data/emoji-${locale}.json`, import.meta.url), 'utf8'))
const en = read('en')
const first = (all: Emoji[], text: string) => findEmoji(all, text)[0]?.[1]

test('the emoji that is most likely meant comes first', () => {
  assert.equal(first(en, 'rocket'), 'rocket')
  assert.equal(first(en, 'Fire'), 'fire')
  assert.equal(first(en, 'heart'), 'red heart')
  assert.equal(first(en, 'ok_hand'), 'OK hand')
  assert.equal(first(en, 'smile'), 'grinning face with smiling eyes')
  assert.equal(first(en, 'joy'), 'face with tears of joy')
  assert.equal(first(en, 'thumbs_up'), 'thumbs up')
  assert.equal(first(en, '+1'), 'thumbs up')
  assert.equal(first(en, 'tada'), 'party popper')
  assert.equal(first(en, 'roc'), 'rock')
  assert.equal(first(read('ru'), 'ракета'), 'ракета')
  assert.equal(first(read('ru'), 'rocket'), 'ракета')
})

test('what is inside a word is found, but not where a word must begin so', () => {
  assert.ok(findEmoji(en, 'ocket').some(([, name]) => name === 'rocket'))
  assert.deepEqual(findEmoji(en, 'ocket', 'begin'), [])
  assert.equal(findEmoji(en, '').length, en.length)
})
