import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeWaveform, encodeWaveform } from './waveform.js'

test('a sound is drawn in few bars that the server has room for', () => {
  const text = encodeWaveform(Array.from({ length: 5000 }, (_, index) => Math.abs(Math.sin(index / 300))))
  assert.ok(text.length <= 256)
  const bars = decodeWaveform(text)
  assert.equal(bars.length, 64)
  assert.equal(Math.max(...bars), 1)
  assert.ok(bars.every((bar) => bar >= 0))
})

test('silence and texts of other clients are drawn too', () => {
  assert.equal(encodeWaveform([]), '0')
  assert.deepEqual(decodeWaveform('0,5,10'), [0, 0.5, 1])
  assert.equal(decodeWaveform('gibberish').length, 32)
})
