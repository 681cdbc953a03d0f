import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keysOf } from './keys.js'

// Node has none, or one that tells its own machine.
Object.defineProperty(globalThis, 'navigator', { value: { platform: 'Linux' }, configurable: true })

const NO_MODIFIERS = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const pressed = (key: string, code: string, modifiers: Partial<typeof NO_MODIFIERS> = {}) =>
  keysOf({ key, code, ...NO_MODIFIERS, ...modifiers } as KeyboardEvent)
const ctrl = { ctrlKey: true }

test('a shortcut is the same key on every layout', () => {
  assert.equal(pressed('k', 'KeyK', ctrl), 'Mod+K')
  assert.equal(pressed('л', 'KeyK', ctrl), 'Mod+K')
  assert.equal(pressed('/', 'Slash', ctrl), 'Mod+/')
  assert.equal(pressed('.', 'Slash', ctrl), 'Mod+/')
  assert.equal(pressed('ArrowUp', 'ArrowUp', { altKey: true }), 'Alt+ArrowUp')
})

test('where letters have other places, the letter counts and not the place', () => {
  assert.equal(pressed('k', 'KeyV', ctrl), 'Mod+K')
  assert.equal(pressed('.', 'Period', ctrl), 'Mod+.')
  assert.equal(pressed('-', 'Slash', ctrl), 'Mod+-')
})
