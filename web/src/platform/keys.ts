import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

/** A key of the keyboard with what it does. `Mod` is Command on a Mac and Control elsewhere. */
export interface Shortcut {
  /** Such as `Mod+K`, `Alt+ArrowUp`, `Escape`. */
  keys: string
  /** Says in the help sheet what it does. */
  label: string
  run(event: KeyboardEvent): void
  /** Also while the person writes in a field. */
  whileWriting?: boolean
}

/** Every shortcut that works on this screen, for the help sheet. */
export const shortcuts = signal<readonly Shortcut[]>([])

export const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform)

/** As on a Latin layout: on a Cyrillic one the key of K gives `л`, and the one of the slash a full stop. */
function keyOf({ key, code }: KeyboardEvent): string {
  if (key.length > 1) return key
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter && !/[a-z]/i.test(key)) return letter
  return code === 'Slash' && key === '.' ? '/' : key.toUpperCase()
}

export function keysOf(event: KeyboardEvent): string {
  const mod = isMac() ? event.metaKey : event.ctrlKey
  const key = keyOf(event)
  return [mod && 'Mod', event.altKey && 'Alt', event.shiftKey && key.length > 1 && 'Shift', key]
    .filter(Boolean)
    .join('+')
}

/** As written on the keyboard: `Ctrl K`, `⌘ K`. */
export function showKeys(keys: string): string {
  const names: Record<string, string> = isMac()
    ? { Mod: '⌘', Alt: '⌥', Shift: '⇧', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' }
    : { Mod: 'Ctrl', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' }
  return keys
    .split('+')
    .map((key) => names[key] ?? key)
    .join(' ')
}

function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
}

/** An input method that is composing owns the keyboard; 229 is how some browsers say it. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229
}

/** Listens to the keyboard for the whole page. The shortcut that was added last wins. */
export function installKeys() {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented || isComposing(event)) return
    const pressed = keysOf(event)
    const found = shortcuts.value.findLast(
      ({ keys, whileWriting }) => keys === pressed && (whileWriting || !isWriting(event.target)),
    )
    if (!found) return
    event.preventDefault()
    found.run(event)
  })
}

/** Shortcuts of a component, from the moment it is on the screen: a key that is pressed at once finds its shortcut. */
export function useShortcuts(own: readonly Shortcut[], inputs: readonly unknown[] = []) {
  useLayoutEffect(() => {
    shortcuts.value = [...shortcuts.peek(), ...own]
    return () => {
      shortcuts.value = shortcuts.peek().filter((one) => !own.includes(one))
    }
  }, inputs)
}
