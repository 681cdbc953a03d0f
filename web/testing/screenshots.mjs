// Takes the pictures of the README: the client with sample data, light and dark. `npm run screenshots`

import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { createServer } from 'vite'
import { findBrowser, HOW_TO_GET_ONE } from './find-browser.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const found = await findBrowser()
if (!found) throw new Error(HOW_TO_GET_ONE)
const server = await createServer({ configFile: `${root}web/vite.config.mjs`, logLevel: 'silent' })
await server.listen(0)
const browser = await chromium.launch({ executablePath: found.path, env: { ...process.env, ...found.env } })
for (const theme of ['light', 'dark']) {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 760 },
    colorScheme: theme,
    locale: 'en-GB',
  })

  await page.goto(`${server.resolvedUrls.local[0]}gallery/screen.html?at=/chats/1&theme=${theme}&locale=en`)
  await page.getByRole('log').first().waitFor()
  await page.evaluate('document.fonts.ready')
  // The sample also holds a message that was refused, which is no first impression.
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Not sent').waitFor({ state: 'detached' })
  await page.mouse.move(0, 0)
  await page.screenshot({ path: `${root}docs/images/client-${theme}.png` })
}
await browser.close()
await server.close()
