import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMessage, listTimeline } from '@parley/contract'
import type { Page } from 'playwright-core'
import { type Stage, stage, untilShows } from './browser.js'
import { openLine } from './line.js'

/** High enough for a whole page of messages. */
const TALL = { viewport: { width: 1200, height: 5000 } }

async function write(s: Stage, texts: readonly string[]) {
  for (const content of texts)
    await s.alice.call(createMessage, { body: { message: { entity_id: s.office.id, content } } })
}

const numbered = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${name} ${index + 1}`)

/** What the server has, oldest first. */
async function stored(s: Stage): Promise<string[]> {
  const web = await s.as(s.alice.id, { session: true })
  const { data } = await web.call(listTimeline, { params: { id: s.office.id }, query: { limit: 100 } })
  return data.filter(({ system }) => !system).map(({ content }) => content)
}

async function send(page: Page, text: string) {
  const field = page.getByRole('textbox', { name: 'Message to office' })
  await field.fill(text)
  await field.press('Enter')
}

/** The page shows what a new browser shows. */
async function equalsFreshLoad(s: Stage, page: Page, last: string) {
  await page.getByRole('log').getByText(last, { exact: true }).waitFor()
  const fresh = await s.open(s.bob, `/chats/${s.office.id}`, TALL)
  await fresh.getByRole('log').getByText(last, { exact: true }).waitFor()
  await untilShows(page, await stored(s))
  await untilShows(fresh, await stored(s))
  await fresh.context().close()
}

test('messages are neither lost nor doubled', async (t: TestContext) => {
  const s = await stage(t)
  if (!s) return
  const chat = `/chats/${s.office.id}`

  await t.test('a line that was cut heals in order, with what was written meanwhile', async (t) => {
    const line = await openLine(t, s.url)
    const bob = await s.open(s.bob, chat, { ...TALL, via: line.url })
    await write(s, ['before'])
    await bob.getByRole('log').getByText('before').waitFor()
    line.cut()
    await write(s, numbered('missed', 40))
    await send(bob, 'written offline')
    await bob.getByText('Waiting for a connection').waitFor()
    // On a small screen the banner stands above the title of the chat, and not on it.
    const { width, height } = TALL.viewport
    await bob.setViewportSize({ width: 390, height })
    const banner = await bob.getByText('No connection. Your messages are saved').boundingBox()
    const title = await bob.getByRole('heading', { name: 'office' }).boundingBox()
    assert.ok(banner && title && banner.y + banner.height <= title.y, JSON.stringify({ banner, title }))
    await bob.setViewportSize({ width, height })
    line.restore()
    await bob.getByRole('log').getByText('missed 40').waitFor()
    await bob.getByText('Waiting for a connection').waitFor({ state: 'detached' })
    await equalsFreshLoad(s, bob, 'written offline')
  })

  await t.test('another server takes over, and a connection that went silent is given up', async (t) => {
    const line = await openLine(t, s.url)
    const bob = await s.open(s.bob, chat, { ...TALL, via: line.url })
    await bob.getByRole('log').getByText('missed 40').waitFor()
    const next = await s.startAnother()
    try {
      line.cut()
      await send(bob, 'to the next one')
      line.restore(next.url)
      await write(s, numbered('after', 5))
      await bob.getByRole('log').getByText('after 5').waitFor()
      await bob.getByRole('log').getByText('to the next one').waitFor()
      line.hang()
      await write(s, ['unheard'])
      await bob.getByRole('log').getByText('unheard').waitFor()
    } finally {
      line.cut()
      await next.stop()
    }
    await bob.context().close()
    assert.equal((await stored(s)).filter((text) => text === 'to the next one').length, 1)
  })

  await t.test('a message whose answer is lost is sent again, and is one', async () => {
    const bob = await s.open(s.bob, chat, TALL)
    // Else the stream would report that the message arrived.
    await bob.route('**/v1/live', (route) => route.abort())
    await bob.reload()
    const keys: string[] = []
    await bob.route('**/v1/messages', async (route) => {
      keys.push(route.request().headers()['idempotency-key'] ?? '')
      if (keys.length > 2) return route.continue()
      await route.fetch()
      return route.abort()
    })
    const answered = bob.waitForResponse((answer) => answer.url().endsWith('/v1/messages'))
    await send(bob, 'answered late')
    await answered
    await equalsFreshLoad(s, bob, 'answered late')
    assert.equal(keys.length, 3)
    assert.equal(new Set(keys).size, 1)
    await bob.context().close()
  })

  await t.test('a message that waited for a day is sent if the person says so', async () => {
    const bob = await s.open(s.bob, chat, TALL)
    await bob.getByRole('log').getByText('answered late').waitFor()
    let down = true
    await bob.route('**/v1/messages', (route) => (down ? route.abort() : route.continue()))
    await send(bob, 'of yesterday')
    await bob.clock.setFixedTime(Date.now() + 86_400_000)
    await bob.getByText('Not sent: it waited for a day.').waitFor()
    await bob
      .locator('.waiting')
      .getByText(/^yesterday, \d\d:\d\d$/)
      .waitFor()
    // The page was not shown over night.
    await bob.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await bob.getByText('Yesterday', { exact: true }).waitFor()
    down = false
    await bob.getByRole('button', { name: 'Try again' }).click()
    await equalsFreshLoad(s, bob, 'of yesterday')
    await bob.context().close()
  })

  await t.test('a full outbox survives a reload, and is sent once and in order', async () => {
    const bob = await s.open(s.bob, chat, TALL)
    await bob.getByRole('log').getByText('answered late').waitFor()
    let down = true
    await bob.route('**/v1/messages', (route) => (down ? route.abort() : route.continue()))
    const texts = numbered('queued', 6)
    for (const text of texts) await send(bob, text)
    await bob.reload()
    await bob.getByRole('log').getByText('queued 6').waitFor()
    down = false
    await bob.waitForResponse(
      (answer) => answer.request().postData()?.includes('queued 6') === true && answer.ok(),
    )
    await equalsFreshLoad(s, bob, 'queued 6')
    assert.deepEqual((await stored(s)).slice(-6), texts)
    await bob.context().close()
  })
  assert.deepEqual(s.complaints, [])
})
