import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { PATIENCE_MS } from './browser.js'

interface ChosenFile {
  name: string
  mimeType: string
  buffer: Buffer
}

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

const focused = (page: Page) => page.evaluate(FOCUSED) as Promise<Focused>

const says = ({ role, name }: Focused) => `${role} "${name.slice(0, 40)}"`

/** Waits until something of this role and name has the focus. */
export async function expectFocus(page: Page, role: string, name: RegExp | string) {
  const now = await untilFocused(page, (one) => one.role === role && fits(one, name))
  if (now) assert.fail(`the focus is on ${says(now)}, not on ${role} ${name}`)
}

/** Waits until anything has the focus: where what had it is gone, the main part of the screen gets it. */
export async function expectFocusKept(page: Page) {
  if (await untilFocused(page, ({ role }) => role !== null)) assert.fail('nothing has the focus')
}

/** Null once the focus is where it is wanted; what has it instead where it does not come there. */
async function untilFocused(page: Page, isWanted: (now: Focused) => boolean): Promise<Focused | null> {
  for (const end = Date.now() + PATIENCE_MS; ; ) {
    const now = await focused(page)
    if (isWanted(now)) return null
    if (Date.now() > end) return now
    await page.evaluate('new Promise(requestAnimationFrame)')
  }
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

/** Presses a button that is reached with the Tab key. */
export async function tabAndPress(page: Page, button: RegExp | string) {
  await tabTo(page, 'button', button)
  await page.keyboard.press('Enter')
}

/** Chooses a file in the dialog that a button opens. */
export async function chooseFile(page: Page, button: RegExp | string, file: ChosenFile) {
  // Asked for before the first key: the browser may take a key sooner than the wish to be told of the dialog.
  const [dialog] = await Promise.all([page.waitForEvent('filechooser'), tabAndPress(page, button)])
  await dialog.setFiles(file)
}
