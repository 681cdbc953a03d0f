import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isEmojiOnly } from './emoji-only.js'

test('a few emoji and nothing else are shown large', () => {
  for (const text of [
    '👍',
    '🎉🎉 🎉',
    '❤️',
    '👍🏽',
    '👩🏽‍💻',
    '👨‍👩‍👧‍👦',
    '🏳️‍🌈',
    '❤️‍🔥',
    '🇩🇪',
    '1️⃣',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    ' 🙂\n',
  ])
    assert.equal(isEmojiOnly(text), true, text)
  const others = ['', '12', '#', 'ok 👍', '👍.', '©', '™', '↔', '🙂'.repeat(7), '🇩', '`👍`', '👍'.repeat(150)]
  for (const text of others) assert.equal(isEmojiOnly(text), false, text)
})
