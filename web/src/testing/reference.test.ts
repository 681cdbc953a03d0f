import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeatUntilShown, stage } from './browser.js'

test('the reference shows guides, finds operations, opens deep links, and talks to nobody else', async (t) => {
  const s = await stage(t)
  if (!s) return
  const context = await s.newContext({ viewport: { width: 1280, height: 900 } })
  t.after(() => context.close())
  const page = await context.newPage()
  const elsewhere: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(s.url) && !/^(data|blob):/.test(request.url()))
      elsewhere.push(request.url())
  })
  await page.goto(`${s.url}/docs`)
  await page.getByRole('heading', { name: 'A first bot in ten minutes' }).first().waitFor()
  // The page shows its texts before it listens to keys.
  const dialog = page.getByRole('dialog')
  const field = dialog.getByRole('combobox')
  await repeatUntilShown(field, () => page.keyboard.press('ControlOrMeta+k'))
  await field.fill('Send a message')
  await dialog
    .getByRole('option', { name: /Send a message/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Send a message' }).first().waitFor()

  await page.goto(`${s.url}/docs#description/polling`)
  await page.getByRole('heading', { name: 'Polling' }).first().waitFor()
  assert.deepEqual(elsewhere, [])
  assert.deepEqual(s.complaints, [])
})
