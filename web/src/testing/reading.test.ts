import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addReaction,
  createMessage,
  createThread,
  markChatRead,
  pinMessage,
  updateMessage,
} from '@parley/contract'
import { latch, repeatUntilShown, stage, untilEquals } from './browser.js'

interface Drawn {
  left: number
  right: number
  height: number
}

test('the mark of a day leads to another day, and a reaction tells who reacted', async (t) => {
  const s = await stage(t)
  if (!s) return
  const say = async (content: string) =>
    (await s.alice.call(createMessage, { body: { message: { entity_id: s.office.id, content } } })).data
  const first = await say('The very first')
  await s.alice.call(addReaction, { params: { id: first.id }, body: { code: '🎉' } })
  await s.bob.call(addReaction, { params: { id: first.id }, body: { code: '👍' } })
  const days = 3
  s.clock.advance(days * 86_400_000)
  // More than two pages, so that the day asked for is not among those read.
  await Promise.all(Array.from({ length: 120 }, (_, index) => say(`Later ${index}`)))

  const page = await s.open(s.bob, `/chats/${s.office.id}`, { timezoneId: 'UTC' })
  const log = page.getByRole('log')
  await log
    .getByText(/^Later/)
    .last()
    .waitFor()
  await log.hover()
  await page.mouse.wheel(0, -20_000)
  await page.mouse.wheel(0, -20_000)
  const mark = log.getByRole('button', { expanded: false }).and(page.locator('.day-name')).first()
  await mark.click()
  const jump = page.getByRole('dialog', { name: 'Go to a date' })
  await jump.getByLabel('Date').fill(first.created_at.slice(0, 10))
  await jump.getByLabel('Date').press('Enter')
  await page.waitForURL(`**?message=${first.id}`)
  const message = log.getByRole('article').filter({ hasText: 'The very first' })
  await message.and(page.locator('.message-marked')).waitFor()
  assert.ok(await message.isVisible())

  const reaction = message.getByRole('button', { name: '👍, 1' })
  await page.route('**/reactions**', (route) => route.abort())
  await reaction.click()
  await page.getByText('The server cannot be reached. Try again in a moment.').waitFor()
  await page.unroute('**/reactions**')
  await reaction.click({ button: 'right' })
  const who = page.getByRole('dialog', { name: 'Reactions' })
  await who.getByText('Bob').waitFor()
  const names = async () =>
    (await who.getByRole('listitem').allInnerTexts()).map((name) => /Alice|Bob/.exec(name)?.[0])
  await untilEquals(names, ['Bob'])
  await who.getByRole('tab', { name: 'All' }).click()
  await who.getByText('Alice').waitFor()
  await untilEquals(names, ['Alice', 'Bob'])
  await page.keyboard.press('Escape')
  await who.waitFor({ state: 'detached' })

  // The actions of a message at the upper edge of the view stand inside of it.
  const edge = await log.evaluate((box) => {
    const { top } = box.getBoundingClientRect()
    const rows = [...box.querySelectorAll('[data-message]')].map((row) => row.getBoundingClientRect().top)
    box.scrollTop += (rows.find((row) => row > top + 60) ?? top) - top
    return top
  })
  // Rows that are measured after the scrolling move under the pointer.
  const isInside = async () => {
    await page.mouse.move(600, edge + 20)
    await page.mouse.move(600, edge + 10)
    const bar = await log.getByRole('toolbar').boundingBox()
    return bar !== null && bar.y >= edge
  }
  await untilEquals(isInside, true)

  // Whoever sends from there is shown it, once the newest messages are read.
  const field = page.getByRole('textbox', { name: 'Message to office' })
  const newest = latch()
  await page.route(
    (url) => url.pathname.endsWith('/timeline'),
    (route) => newest.opened.then(() => route.continue()),
  )
  await field.fill('From afar')
  const answered = page.waitForResponse('**/v1/messages')
  await field.press('Enter')
  await answered
  await log.hover()
  await page.mouse.wheel(0, 10)
  newest.open()
  const sent = log.getByRole('article').filter({ hasText: 'From afar' })
  const isInSight = async () => {
    const [row, box] = await Promise.all([sent.boundingBox(), log.boundingBox()])
    return row !== null && box !== null && row.y + row.height <= box.y + box.height
  }
  await log.getByText('Later 119').waitFor()
  await untilEquals(isInSight, true)
  assert.deepEqual(s.complaints, [])
})

test('a thread stays open as it is while the reader goes to a date in it and back', async (t) => {
  const s = await stage(t)
  if (!s) return
  const asked = { body: { message: { entity_id: s.office.id, content: 'Who comes?' } } }
  const { data: parent } = await s.alice.call(createMessage, asked)
  const { data: thread } = await s.alice.call(createThread, { params: { id: parent.id } })
  const reply = async (content: string) => {
    const message = { entity_type: 'thread' as const, entity_id: thread.id, content }
    return (await s.alice.call(createMessage, { body: { message } })).data
  }
  const first = await reply('Not me')
  s.clock.advance(3 * 86_400_000)
  for (let n = 1; n <= 30; n += 1) await reply(`Me ${n}`)
  const page = await s.open(s.bob, `/chats/${s.office.id}?thread=${thread.id}`, { timezoneId: 'UTC' })
  const pane = page.getByRole('complementary', { name: 'Thread' })
  const log = pane.getByRole('log')
  await log.getByText('Me 30', { exact: true }).waitFor()
  await pane.evaluate((element) => element.setAttribute('data-before', ''))

  const jump = page.getByRole('dialog', { name: 'Go to a date' })
  // The list may go to its end once more while its rows are measured.
  await repeatUntilShown(jump, async () => {
    await log.hover()
    await page.mouse.wheel(0, -20_000)
    await log
      .locator('.day-name')
      .first()
      .click({ timeout: 1000 })
      .catch(() => {})
  })
  await jump.getByLabel('Date').fill(first.created_at.slice(0, 10))
  await jump.getByLabel('Date').press('Enter')
  await page.waitForURL(`**?thread=${thread.id}&reply=${first.id}`)
  await log.locator('.message-marked').getByText('Not me').waitFor()
  await page.goBack()
  await page.waitForURL(`**?thread=${thread.id}`)
  await log.locator('.message-marked').waitFor({ state: 'detached' })
  assert.equal(await pane.getAttribute('data-before'), '')
  assert.deepEqual(s.complaints, [])
})

test('a thread under a message of long ago shows it, and what becomes of it', async (t) => {
  const s = await stage(t)
  if (!s) return
  const say = async (content: string) =>
    (await s.alice.call(createMessage, { body: { message: { entity_id: s.office.id, content } } })).data
  const parent = await say('Who comes?')
  const { data: thread } = await s.alice.call(createThread, { params: { id: parent.id } })
  const reply = { entity_type: 'thread' as const, entity_id: thread.id, content: 'Not me' }
  const { data: replied } = await s.alice.call(createMessage, { body: { message: reply } })
  for (let n = 1; n <= 60; n += 1) await say(`Later ${n}`)
  await s.bob.call(markChatRead, { params: { id: s.office.id }, body: {} })

  const page = await s.open(s.bob, `/chats/${s.office.id}?thread=${thread.id}`)
  const pane = page.getByRole('complementary', { name: 'Thread' })
  await pane.getByText('1 reply').waitFor()
  await pane.getByText('Who comes?').waitFor()
  const content = 'Who comes to lunch?'
  await s.alice.call(updateMessage, { params: { id: parent.id }, body: { message: { content } } })
  await pane.getByText(content).waitFor()
  const bell = pane.getByRole('button', { name: 'Follow this thread' })
  await bell.click()
  await pane.getByRole('button', { name: 'Follow this thread', pressed: true }).waitFor()
  await s.alice.call(createMessage, { body: { message: { ...reply, content: 'Me' } } })
  await pane.getByText('2 replies').waitFor()
  // The chat itself stays where it was.
  await page.getByRole('log', { name: 'Messages' }).getByText('Later 60').waitFor()

  // What others pin and edit up there is told as well.
  await page.goto(`${s.url}/chats/${s.office.id}?panel=pins`)
  const pins = page.getByRole('complementary', { name: 'Pinned messages' })
  await pins.getByText('Nothing is pinned here').waitFor()
  await s.alice.call(pinMessage, { params: { id: parent.id } })
  await pins.getByText(content).waitFor()
  const shorter = { content: 'Lunch?' }
  await s.alice.call(updateMessage, { params: { id: parent.id }, body: { message: shorter } })
  await pins.getByText('Lunch?').waitFor()

  // The address of a reply, as links have it, names the chat of the thread alone.
  const { pathname, search } = new URL(replied.url)
  assert.equal(pathname, `/chats/${thread.chat_id}`)
  await page.goto(s.url + pathname + search)
  await page.waitForURL(`${s.url}/chats/${s.office.id}?thread=${thread.id}&reply=${replied.id}`)
  await pane.locator('.message-marked').getByText('Not me').waitFor()
  await pane.getByText('Lunch?').waitFor()
  assert.deepEqual(s.complaints, [])
})

test('unread messages beyond one page are read where the window has place for them', async (t) => {
  const s = await stage(t)
  if (!s) return
  for (let n = 1; n <= 60; n += 1)
    await s.alice.call(createMessage, { body: { message: { entity_id: s.office.id, content: `News ${n}` } } })
  const page = await s.open(s.bob, '/', { viewport: { width: 1200, height: 5000 } })
  // Sizes are known later than the frame in which the rows are drawn first, as on a busy device.
  await page.addInitScript(() => {
    const Observer = window.ResizeObserver
    window.ResizeObserver = class extends Observer {
      constructor(call: ResizeObserverCallback) {
        super((entries, observer) => void setTimeout(() => call(entries, observer), 300))
      }
    }
  })
  // And the first attempt to read on fails.
  let failed = 0
  await page.route(
    (url) => url.searchParams.has('after'),
    (route) => (failed++ === 0 ? route.abort() : route.continue()),
  )
  await page.goto(`${s.url}/chats/${s.office.id}`)
  await page.getByRole('log').getByText('News 60', { exact: true }).waitFor()
  assert.ok(failed > 1, `${failed} pages were asked for`)
  assert.deepEqual(s.complaints, [])
})

test('a link to a message that is longer than the window opens at its beginning', async (t) => {
  const s = await stage(t)
  if (!s) return
  const say = async (content: string) =>
    (await s.alice.call(createMessage, { body: { message: { entity_id: s.office.id, content } } })).data
  for (let n = 1; n <= 20; n += 1) await say(`Before ${n}`)
  const long = await say(Array.from({ length: 80 }, (_, n) => `Line ${n} of it`).join('\n'))
  for (let n = 1; n <= 20; n += 1) await say(`After ${n}`)
  const page = await s.open(s.bob, `/chats/${s.office.id}?message=${long.id}`)
  const row = page.locator(`[data-message="${long.id}"]`)
  await row.waitFor()
  const isAtTop = async () => {
    const [box, log] = await Promise.all([row.boundingBox(), page.getByRole('log').boundingBox()])
    return box !== null && log !== null && box.y >= log.y && box.y < log.y + log.height / 2
  }
  await untilEquals(isAtTop, true)

  // Its day and what is left to read are said although neither is in sight.
  await page.locator('.timeline-day').getByRole('button', { name: 'Today' }).waitFor()
  await say('> I resign\n> today\nWho said that?')
  await say('مرحبا')
  await say('  - below')
  await say('👍')
  await page.getByRole('button', { name: /^Jump to latest.*unread$/ }).click()
  const shown = page.getByRole('log').locator('.text')
  await shown.getByText('👍').waitFor()
  // Texts read in the direction of their letters, and stand where they were typed.
  const drawn = await shown.evaluateAll((texts) =>
    texts.slice(-3).map((text) => {
      const range = document.createRange()
      range.selectNodeContents(text.firstElementChild?.firstChild as Node)
      const [box, own] = [text.getBoundingClientRect(), range.getBoundingClientRect()]
      return { left: own.left - box.left, right: box.right - own.right, height: own.height }
    }),
  )
  const [arabic, indented, emoji] = drawn as [Drawn, Drawn, Drawn]
  assert.ok(arabic.right < 1 && arabic.left > 100, JSON.stringify(drawn))
  assert.ok(emoji.height > indented.height * 1.5, JSON.stringify(drawn))
  assert.equal(
    await shown.getByText('- below').evaluate((text) => getComputedStyle(text).whiteSpace),
    'pre-wrap',
  )
  // The words of somebody else are told from those of the author.
  assert.equal(await shown.locator('blockquote').innerText(), 'I resign\ntoday')
  await shown.locator('p', { hasText: /^Who said that\?$/ }).waitFor()
  assert.deepEqual(s.complaints, [])
})
