import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { common as en } from '../words/en/common.js'
import { common as ru } from '../words/ru/common.js'
import { everyAddress, NOWHERE } from './addresses.js'
import { faultsOf } from './axe.js'
import { stage } from './browser.js'

const THEMES = ['light', 'dark', 'contrast'] as const
const WIDTHS = { wide: { width: 1440, height: 900 }, narrow: { width: 320, height: 690 } } as const
const LOCALES = ['en-GB', 'ru-RU'] as const

interface Look {
  theme: (typeof THEMES)[number]
  width: keyof typeof WIDTHS
}

/** All looks of an address in one language. */
const LOOKS: readonly Look[] = THEMES.flatMap((theme) => [
  { theme, width: 'wide' as const },
  { theme, width: 'narrow' as const },
])

/** `PARLEY_AXE=all` sees every address in every look; a usual run sees each in one, by turns of looks and languages. */
const EVERY = process.env.PARLEY_AXE === 'all'

function looksAt(index: number): readonly Look[] {
  return EVERY ? LOOKS : LOOKS.slice(index % LOOKS.length, (index % LOOKS.length) + 1)
}

async function show(page: Page, { theme, width }: Look) {
  await page.setViewportSize(WIDTHS[width])
  await page.emulateMedia({ colorScheme: theme === 'dark' ? 'dark' : 'light' })
  await page.evaluate(
    theme === 'contrast'
      ? 'document.documentElement.dataset.contrast = "more"'
      : 'delete document.documentElement.dataset.contrast',
  )
  // A mark that fades would be judged between the colours of two themes.
  await page.evaluate(
    'document.getAnimations().forEach((one) => one.effect.getTiming().iterations === 1 && one.finish())',
  )
}

/** By page, what it has asked for and not been answered; the live stream never ends. */
const asked = new WeakMap<Page, Set<Request>>()

function followRequests(page: Page) {
  const open = new Set<Request>()
  asked.set(page, open)
  page.on('request', (request) => new URL(request.url()).pathname === '/v1/live' || open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
}

/** Goes there as a link does, and waits until all that it asked for is there and the screen has not changed for a moment. */
async function visit(page: Page, path: string) {
  await page.evaluate(
    `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await page.locator('main').first().waitFor()
  do
    await page.evaluate(`new Promise((resolve) => {
      let timer
      const wait = () => { clearTimeout(timer); timer = setTimeout(() => { watch.disconnect(); resolve() }, 150) }
      const watch = new MutationObserver(wait)
      watch.observe(document.body, { childList: true, subtree: true, characterData: true })
      wait()
    })`)
  while (asked.get(page)?.size)
}

/** Where a picture of each look is put, outside of the repository. */
const { PARLEY_PICTURES } = process.env
const nameOf = (path: string) => path.replaceAll(/[^a-z0-9]+/gi, '-').replaceAll(/^-|-$/g, '') || 'start'

async function keepPicture(page: Page, name: string, locale: string, { theme, width }: Look) {
  if (PARLEY_PICTURES)
    await page.screenshot({ path: `${PARLEY_PICTURES}/${name}-${width}-${theme}-${locale.slice(0, 2)}.png` })
}

/** What a reader at 200 % or with long words would have to scroll sideways for. */
async function overflowOf(page: Page): Promise<string[]> {
  const wider = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  return wider ? ['wider than the screen'] : []
}

/** A usual run looks at each address once, at some width; the narrowest is where words do not fit. */
async function narrowOverflowOf(page: Page, path: string, locale: string): Promise<string[]> {
  if (EVERY) return []
  await page.setViewportSize(WIDTHS.narrow)
  return (await overflowOf(page)).map((fault) => `${path} ${locale} narrow: ${fault}`)
}

/** A page that somebody may not see looks like one that does not exist. */
async function missingAt(page: Page, path: string): Promise<string[]> {
  const heading = (name: string) => page.getByRole('heading', { name, exact: true })
  return (await heading(en.notFound).or(heading(ru.notFound)).isVisible()) === (path === NOWHERE)
    ? []
    : [`${path} is missing, or is not and should be`]
}

/** What lies over a screen, by the keys that open it. */
const OVER: readonly (readonly [name: string, keys: readonly string[]])[] = [
  ['switcher', ['Control+k']],
  ['help', ['Control+/']],
  ['emoji', ['Tab', 'Tab', 'Enter']],
]

test('every address is accessible in every look', async (t) => {
  const s = await stage(t)
  if (!s) return
  const addresses = await everyAddress(s)
  const chat = `/chats/${s.office.id}`
  const faults: string[] = []
  let looked = 0

  async function look(page: Page, name: string, locale: string, looks: readonly Look[]) {
    for (const one of looks) {
      await show(page, one)
      looked += 1
      await keepPicture(page, nameOf(name), locale, one)
      for (const fault of [...(await faultsOf(page)), ...(await overflowOf(page))])
        faults.push(`${name} ${locale} ${one.theme} ${one.width}: ${fault}`)
    }
  }

  for (const [place, locale] of LOCALES.entries()) {
    const pages = {
      bob: await s.open(s.bob, '/', { locale }),
      owner: await s.open(s.owner, '/', { locale }),
    }
    for (const page of Object.values(pages)) {
      await page.getByRole('navigation').first().waitFor()
      followRequests(page)
    }
    for (const [index, { path, by }] of addresses.entries()) {
      if (!EVERY && index % LOCALES.length !== place) continue
      const page = pages[by]
      await show(page, { theme: 'light', width: 'wide' })
      await visit(page, path)
      faults.push(...(await missingAt(page, path)), ...(await narrowOverflowOf(page, path, locale)))
      await look(page, path, locale, looksAt(Math.floor(index / LOCALES.length)))
    }
    const page = pages.bob
    for (const [index, [name, keys]] of OVER.entries()) {
      await show(page, { theme: 'light', width: 'wide' })
      await visit(page, chat)
      await page.locator('main textarea').focus()
      for (const key of keys) await page.keyboard.press(key)
      await page.locator('dialog[open], [popover]:popover-open').first().waitFor()
      await look(page, name, locale, looksAt(index + place))
      await page.keyboard.press('Escape')
    }
    const outside = await (await s.newContext({ locale })).newPage()
    await outside.goto(`${s.url}/sign-in`)
    await outside.locator('form').waitFor()
    await look(outside, '/sign-in', locale, looksAt(place))
  }
  t.diagnostic(`${addresses.length + OVER.length + 1} screens, ${looked} looks`)
  assert.deepEqual(faults, [])
  assert.deepEqual(s.complaints, [])
})
