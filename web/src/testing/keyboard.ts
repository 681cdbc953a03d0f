import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'

interface Focused {
  /** Null where nothing has the focus. */
  role: string | null
  name: string
  /** Whether the eye finds it. */
  ringed: boolean
}

/** What has the focus: as a screen reader says it, and whether it is seen. */
const FOCUSED = `(() => {
  const at = document.activeElement
  if (!at || at === document.body) return { role: null, name: '', ringed: false }
  const roles = { A: 'link', BUTTON: 'button', TEXTAREA: 'textbox', SELECT: 'combobox', MAIN: 'main', ARTICLE: 'article' }
  const types = { search: 'searchbox', checkbox: 'checkbox', radio: 'radio' }
  const role = at.getAttribute('role') ?? (at.tagName === 'INPUT' ? (types[at.type] ?? 'textbox') : (roles[at.tagName] ?? at.tagName))
  const label = at.labels?.[0]?.textContent ?? document.getElementById(at.getAttribute('aria-labelledby'))?.textContent
  const name = (at.getAttribute('aria-label') ?? label ?? at.textContent ?? '').trim()
  const seen = (element) => {
    const { outlineStyle, boxShadow } = getComputedStyle(element)
    return outlineStyle !== 'none' || boxShadow !== 'none'
  }
  const around = [at, at.parentElement, at.parentElement?.parentElement, ...(at.labels ?? []), at.nextElementSibling]
  const { width, height } = at.getBoundingClientRect()
  return { role, name, ringed: at.tagName === 'MAIN' || (width > 0 && height > 0 && around.filter(Boolean).some(seen)) }
})()`

export const focused = (page: Page) => page.evaluate(FOCUSED) as Promise<Focused>

const says = ({ role, name }: Focused) => `${role} "${name.slice(0, 40)}"`

/** Waits until something of this role and name has the focus. */
export async function expectFocus(page: Page, role: string, name: RegExp | string) {
  let now: Focused | undefined
  for (let attempt = 0; attempt < 300; attempt += 1) {
    now = await focused(page)
    if (now.role === role && fits(now, name)) return
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
  assert.fail(`the focus is on ${now && says(now)}, not on ${role} ${name}`)
}

function fits({ name }: Focused, wanted: RegExp | string) {
  return typeof wanted === 'string' ? name === wanted : wanted.test(name)
}

/** Goes along a menu or a list that has the focus until this entry. */
export async function arrowTo(page: Page, role: string, name: RegExp | string, key = 'ArrowDown') {
  for (let stop = 0; stop < STOPS_AT_MOST; stop += 1) {
    const now = await focused(page)
    if (now.role === role && fits(now, name)) return
    await page.keyboard.press(key)
  }
  assert.fail(`the arrows do not come to ${role} ${name}`)
}

const STOPS_AT_MOST = 60

/** Presses Tab until this has the focus; every stop on the way is seen, and the focus is never lost. */
export async function tabTo(page: Page, role: string, name: RegExp | string, key = 'Tab') {
  const passed: string[] = []
  for (let stop = 0; stop < STOPS_AT_MOST; stop += 1) {
    await page.keyboard.press(key)
    const now = await focused(page)
    passed.push(says(now))
    // Beyond the last stop the browser itself is next.
    if (now.role === null) continue
    assert.ok(now.ringed, `${says(now)} has the focus unseen`)
    if (now.role === role && fits(now, name)) return
  }
  assert.fail(`Tab does not come to ${role} ${name}: ${passed.join(', ')}`)
}
