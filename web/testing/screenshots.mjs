// Takes the pictures of the README: the client with sample data, light and dark. `npm run screenshots`

import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { launchBrowser } from './launch.mjs'

const root = fileURLToPath(new URL('../../', import.meta.url))
const server = await createServer({ configFile: `${root}web/vite.config.mjs`, logLevel: 'silent' })
await server.listen(0)
const browser = await launchBrowser()
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
