import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rule, place, and where it is about contrast the two colours. */
const RUN = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) =>
      [id, target, any[0]?.data?.fgColor, any[0]?.data?.bgColor].filter(Boolean).join(' '))))`

/** Faults that a screen reader or a keyboard would meet. */
export async function faultsOf(page: Page): Promise<string[]> {
  // The pane that a narrower screen shows becomes its main part a moment after the change of the width.
  await page
    .locator('main:visible')
    .first()
    .waitFor({ timeout: 5000 })
    .catch(() => {})
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source)
  return page.evaluate(RUN)
}

const SCREENS = [
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const

/** `PARLEY_AXE=all` judges each page in both looks; a usual run in one, by turns, which are the same in every run. */
const EVERY = process.env.PARLEY_AXE === 'all'
const turns = new WeakMap<Page, number>()

/** The faults of the current page, light and wide, dark and narrow. It is left dark and narrow. */
export async function faultsInEveryLook(page: Page): Promise<string[]> {
  const faults: string[] = []
  const turn = (turns.get(page) ?? 0) + 1
  turns.set(page, turn)
  for (const [place, { colorScheme, viewport }] of SCREENS.entries()) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    if (EVERY || (turn + place) % SCREENS.length === 0)
      faults.push(...(await faultsOf(page)).map((fault) => `${colorScheme} ${viewport.width}: ${fault}`))
  }
  return faults
}
