import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEchoes } from './echoes.js'

test('events of own saves are recognised, in whatever order their keys come', () => {
  const echoes = createEchoes()
  echoes.sent({ theme: 'auto', locale: 'ru' })
  echoes.sent({ theme: 'dark', locale: 'ru' })
  assert.equal(echoes.isEcho({ locale: 'ru', theme: 'auto' }), true)
  assert.equal(echoes.isEcho({ locale: 'ru', theme: 'dark' }), true)
  assert.equal(echoes.isEcho({ locale: 'ru', theme: 'dark' }), false, 'each once')
})

test('an event of another device, or of a save that failed, is no echo', () => {
  const echoes = createEchoes()
  echoes.sent({ theme: 'dark' })
  assert.equal(echoes.isEcho({ theme: 'light' }), false)
  echoes.failed({ theme: 'dark' })
  assert.equal(echoes.isEcho({ theme: 'dark' }), false)
})
