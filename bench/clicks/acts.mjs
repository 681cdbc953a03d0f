// What somebody may do on a page, whatever it shows. What does not work out in a moment is left.
import { SCREENS } from './screens.mjs'

const TEXTS = [
  ...[
    'hi',
    'мир',
    '@',
    ':smile',
    '/',
    '#',
    '`',
    '😀',
    'a'.repeat(300),
    '1',
    '-1',
    '2030-01-01',
    '12:00',
    ' ',
    '"',
  ],
  ...['<b>', 'https://example.org', '**x', '@owner ', '```\n'],
]
const KEYS = [
  ...[
    'Enter',
    'Escape',
    'Tab',
    'Shift+Tab',
    'ArrowDown',
    'ArrowUp',
    'ArrowLeft',
    'ArrowRight',
    'Home',
    'End',
  ],
  ...[
    'PageUp',
    'Space',
    'Backspace',
    'Shift+Enter',
    'Control+a',
    'Control+b',
    'Control+k',
    'Alt+ArrowDown',
    '?',
  ],
]
const FILLED = {
  date: '2030-02-03',
  time: '10:00',
  'datetime-local': '2030-02-03T10:00',
  number: '7',
  range: '1',
}
const PICTURE = {
  name: 'dot.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}

const PARTS = ['button', 'a[href]', 'input', 'textarea', 'select', 'summary', '[contenteditable]']
const ROLES = ['menuitem', 'menuitemcheckbox', 'option', 'tab']
const SOMETHING = [...PARTS, ...ROLES.map((role) => `[role=${role}]`)]
  .map((one) => `${one}:visible`)
  .join(', ')
const IN_FRONT = 'dialog[open]:visible, [role=dialog]:visible, [role=menu]:visible'
/** Ends what is looked at, or leads out of the client. */
const AVOIDED = /sign out|end all|end every|выйти|завершить/i
const ELSEWHERE = /^https?:|^mailto:|^\/docs|^\/v1|download/

const never = () => undefined

/** Something that can be clicked or filled in: of a dialog, where there is one in front. */
async function choose(page, known) {
  const front = page.locator(IN_FRONT)
  const isCovered = (await front.count()) > 0 && known.chance(0.95)
  const all = (isCovered ? front.last() : page).locator(SOMETHING)
  const count = await all.count()
  return count > 0 ? all.nth(known.below(count)) : undefined
}

const describe = (element) =>
  element.evaluate(
    (node) => ({
      tag: node.tagName,
      type: node.type,
      href: node.getAttribute('href') ?? '',
      editable: node.isContentEditable,
      label: (node.getAttribute('aria-label') || node.innerText || '').slice(0, 40).replace(/\s+/g, ' '),
    }),
    undefined,
    { timeout: 500 },
  )

async function fillIn(page, element, { type, label }, known) {
  if (type in FILLED) return [`fill ${label}`, element.fill(FILLED[type])]
  const text = known.one(TEXTS)
  await element.click({ timeout: 800 })
  await page.keyboard.insertText(text)
  if (known.chance(0.5)) await page.keyboard.press('Enter')
  return [`type ${JSON.stringify(text.slice(0, 12))} in ${label}`]
}

const isField = ({ tag, type, editable }) =>
  editable || tag === 'TEXTAREA' || (tag === 'INPUT' && !/checkbox|radio|button|submit/.test(type))

async function use(page, known) {
  const element = await choose(page, known)
  if (!element) return page.keyboard.press('Escape').then(() => ['key Escape'])
  const what = await describe(element)
  if (AVOIDED.test(what.label) || ELSEWHERE.test(what.href)) return []
  if (what.type === 'file') return [`choose a file for ${what.label}`, element.setInputFiles(PICTURE)]
  if (what.tag === 'SELECT') {
    const index = known.below(await element.locator('option').count())
    return [`select in ${what.label}`, element.selectOption({ index })]
  }
  if (isField(what)) return fillIn(page, element, what, known)
  const button = known.chance(0.08) ? 'right' : 'left'
  return [`${button} click ${what.tag.toLowerCase()} ${what.label}`, element.click({ timeout: 800, button })]
}

/** One thing that a person may do next. */
export async function act({ page, acts, go }, known) {
  const chance = known.random()
  const key = known.one(KEYS)
  const screen = known.one(SCREENS)
  const note = (text) => acts.push(text)
  if (chance < 0.02) return go(screen).then(() => note(`go to ${screen}`))
  if (chance < 0.12) return page.keyboard.press(key).then(() => note(`key ${key}`), never)
  if (chance < 0.15) return page.goBack().then(() => note('back'), never)
  const [text, doing] = await use(page, known).catch(() => [])
  if (text) note(text)
  await doing?.catch(never)
}
