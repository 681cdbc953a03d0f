import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Faults that a screen reader or a keyboard would meet, by rule and place. */
export async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(source)
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target}`)))',
  )
}

const SCREENS = [
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const

/** The faults of a page as it stands, in light and dark, wide and narrow. */
export async function faultsInEveryLook(page: Page): Promise<string[]> {
  const faults: string[] = []
  for (const { colorScheme, viewport } of SCREENS) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    faults.push(...(await faultsOf(page)).map((fault) => `${colorScheme} ${viewport.width}: ${fault}`))
  }
  return faults
}
