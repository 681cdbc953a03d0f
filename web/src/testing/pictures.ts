import type { Page } from 'playwright-core'

const { PARLEY_PICTURES } = process.env
const WIDTHS = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } } as const

/** Keeps pictures of what a journey shows, light and wide, dark and narrow, where a folder is named for them. */
export async function keepPictures(page: Page, name: string) {
  if (!PARLEY_PICTURES) return
  for (const [width, colorScheme] of [
    ['narrow', 'dark'],
    ['wide', 'light'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(WIDTHS[width])
    await page.screenshot({ path: `${PARLEY_PICTURES}/${name}-${width}-${colorScheme}.png` })
  }
}
