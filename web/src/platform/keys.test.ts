import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { keysOf } from './keys.js'

/** Node has no navigator, or one that tells its own machine; other files of this process may look at it. */
function onLinux(t: TestContext) {
  const own = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
  Object.defineProperty(globalThis, 'navigator', { value: { platform: 'Linux' }, configurable: true })
  t.after(() => {
    if (own) Object.defineProperty(globalThis, 'navigator', own)
    else Reflect.deleteProperty(globalThis, 'navigator')
  })
}

const NO_MODIFIERS = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const pressed = (key: string, code: string, modifiers: Partial<typeof NO_MODIFIERS> = {}) =>
  keysOf({ key, code, ...NO_MODIFIERS, ...modifiers } as KeyboardEvent)
const ctrl = { ctrlKey: true }

test('a shortcut is the same key on every layout', (t) => {
  onLinux(t)
  assert.equal(pressed('k', 'KeyK', ctrl), 'Mod+K')
  assert.equal(pressed('л', 'KeyK', ctrl), 'Mod+K')
  assert.equal(pressed('/', 'Slash', ctrl), 'Mod+/')
  assert.equal(pressed('.', 'Slash', ctrl), 'Mod+/')
  assert.equal(pressed('ArrowUp', 'ArrowUp', { altKey: true }), 'Alt+ArrowUp')
})

test('where letters have other places, the letter counts and not the place', (t) => {
  onLinux(t)
  assert.equal(pressed('k', 'KeyV', ctrl), 'Mod+K')
  assert.equal(pressed('.', 'Period', ctrl), 'Mod+.')
  assert.equal(pressed('-', 'Slash', ctrl), 'Mod+-')
})
