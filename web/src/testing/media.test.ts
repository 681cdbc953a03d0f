import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { markChatRead } from '@parley/contract'
import { faultsInEveryLook } from './axe.js'
import { stage, untilEquals } from './browser.js'
import { RECORDED, useTone } from './tone.js'

/** Two pictures of two pixels. */
const PIXELS = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAYAAAD0In+KAAAADklEQVR4nGP4z8DwHwQBEPgD/U6VwW8AAAAASUVORK5CYII=',
  'base64',
)

test('pictures open over the chat; a message is pinned, forwarded and its readers are shown', async (t) => {
  const s = await stage(t)
  if (!s) return
  const page = await s.open(s.bob, `/chats/${s.office.id}`)
  const field = page.getByRole('textbox', { name: 'Message to office' })
  const picture = (name: string) => ({ name, mimeType: 'image/png', buffer: PIXELS })
  await field.waitFor()
  // One is dropped among the messages, not into the field.
  const held = await page.evaluateHandle((pixels) => {
    const dragged = new DataTransfer()
    const bytes = Uint8Array.from(atob(pixels), (letter) => letter.charCodeAt(0))
    dragged.items.add(new File([bytes], 'one.png', { type: 'image/png' }))
    return dragged
  }, PIXELS.toString('base64'))
  const log = page.getByRole('log')
  await log.dispatchEvent('dragover', { dataTransfer: held })
  await page.getByText('Drop files here to attach them', { exact: true }).waitFor()
  await log.dispatchEvent('drop', { dataTransfer: held })
  await page.getByRole('button', { name: 'Remove one.png', exact: true }).waitFor()
  await page.locator('form input[type=file]').setInputFiles([picture('two.png')])
  await page.getByRole('button', { name: 'Remove two.png', exact: true }).waitFor()
  const tall = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 60, height: 1200 })
    return canvas.toDataURL().split(',')[1] ?? ''
  })
  const drawn = { ...picture('tall.png'), buffer: Buffer.from(tall, 'base64') }
  await page.locator('form input[type=file]').setInputFiles([drawn])
  // Formats that the browser does not know.
  const odd = Buffer.from('neither a picture nor a film')
  await page.locator('form input[type=file]').setInputFiles([
    { name: 'photo.heic', mimeType: 'image/heic', buffer: odd },
    { name: 'film.avi', mimeType: 'video/x-msvideo', buffer: odd },
  ])
  await untilEquals(() => page.locator('.attachment-done').count(), 5)
  await untilEquals(() => page.locator('.attachment-done .attachment-picture').count(), 3)
  await field.fill('Two pictures')
  await field.press('Enter')
  /** Waits until a picture is that wide. */
  const untilWide = (name: string, fits: (width: number) => boolean) => {
    const picture = page.getByRole('button', { name: `Enlarge ${name}` })
    return untilEquals(async () => fits((await picture.boundingBox())?.width ?? Number.NaN), true)
  }
  // What cannot be shown can be downloaded.
  await log.getByRole('link', { name: 'photo.heic' }).waitFor()
  await log.locator('video').evaluate((film) => (film as HTMLVideoElement).play().catch(() => {}))
  await log.getByRole('link', { name: 'film.avi' }).waitFor()
  // A small one is not blown up, and a tall one can be seen.
  await untilWide('one.png', (width) => width < 60)
  await untilWide('tall.png', (width) => width >= 96)
  await page.getByRole('button', { name: 'Enlarge one.png' }).click()
  await page.getByRole('dialog', { name: 'one.png' }).waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.keyboard.press('ArrowRight')
  await page.getByText('2 of 4').waitFor()
  await page.keyboard.press('+')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.getByText('This picture cannot be shown here. Download it to open it.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  const message = page.getByRole('log').getByRole('article').filter({ hasText: 'Two pictures' })
  const choose = async (item: string) => {
    await message.hover()
    await message.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Pin')
  await page.getByRole('link', { name: 'Pinned messages' }).click()
  const pins = page.getByRole('complementary', { name: 'Pinned messages' })
  await pins.getByText('Two pictures').waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await pins.getByRole('button', { name: 'Unpin' }).click()
  await pins.getByText('Nothing is pinned here').waitFor()

  const alice = await s.as(s.alice.id, { session: true })
  await alice.call(markChatRead, { params: { id: s.office.id }, body: {} })
  const mia = await s.as(s.mia.id, { session: true })
  await mia.call(markChatRead, { params: { id: s.office.id }, body: {} })
  // Pages of one, as if very many had read it.
  await page.route('**/read_member_ids?*', (route) =>
    route.continue({
      url: route
        .request()
        .url()
        .replace(/limit=\d+/, 'limit=1'),
    }),
  )
  await choose('Read by')
  const readers = page.getByRole('dialog').getByRole('listitem')
  await page.getByRole('button', { name: 'Show more' }).click()
  await untilEquals(() => readers.count(), 2)
  await readers.getByText('Alice').waitFor()
  await page.keyboard.press('Escape')
  await choose('Forward')
  await page.getByRole('combobox', { name: 'Forward to' }).fill('off')
  await page.getByRole('option', { name: 'office' }).click()
  await page.getByText('Forwarded from Bob').waitFor()
  assert.deepEqual(s.complaints, [])
})

/** A transcription server that hears the same in every recording. */
async function transcribing(t: TestContext, text: string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end(JSON.stringify({ text })))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/audio/transcriptions`
}

test('somebody records a voice message; another person plays it, reads what it says and finds it', async (t) => {
  const s = await stage(t, { PARLEY_TRANSCRIBE_URL: await transcribing(t, 'The figures are ready.') })
  if (!s) return
  const page = await s.open(s.bob, `/chats/${s.office.id}`)
  await useTone(page)
  await page.getByRole('button', { name: 'Record a voice message' }).click()
  await page.getByText(RECORDED).waitFor()
  await page.getByRole('button', { name: 'Send the voice message' }).click()
  await page.getByRole('log').getByRole('button', { name: 'Play' }).waitFor()
  const transcript = page.getByRole('log').getByRole('group', { name: 'Transcript' })
  await transcript.getByText('The figures are ready.').waitFor()

  const other = await s.open(s.alice, `/chats/${s.office.id}`)
  await other.getByRole('log').getByRole('button', { name: 'Play' }).waitFor()
  // Noted in the page: the recording lasts a second, and who asks from outside may miss it.
  await other.evaluate(() => {
    const note = () => {
      if (document.querySelector('[aria-label="Pause"]')) document.body.classList.add('has-played')
    }
    new MutationObserver(note).observe(document.body, { subtree: true, attributeFilter: ['aria-label'] })
  })
  await other.getByRole('log').getByRole('button', { name: 'Play' }).click()
  await other.locator('body.has-played').waitFor()
  assert.deepEqual(await faultsInEveryLook(other), [])
  await other.goto(`${s.url}/search?q=figure`)
  await other.getByRole('list', { name: 'Results' }).getByText('The figures are ready.').waitFor()
  assert.deepEqual(s.complaints, [])
})
