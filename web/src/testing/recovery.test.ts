import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createMessage, createThread, getStart, listTimeline } from '@parley/contract'
import type { Page, Route } from 'playwright-core'
import { latch, type Stage, stage, untilEndsWith, untilEquals, untilShows } from './browser.js'
import { expectFocus, expectFocusKept } from './keyboard.js'
import { openLine } from './line.js'

/** High enough for a whole page of messages. */
const TALL = { viewport: { width: 1200, height: 5000 } }

const say = (s: Stage, content: string) =>
  s.alice.call(createMessage, { body: { message: { entity_id: s.office.id, content } } })

async function send(page: Page, text: string) {
  const field = page.getByRole('textbox', { name: 'Message to office' })
  await field.fill(text)
  await field.press('Enter')
}

const heard = (page: Page, text: string) =>
  page.getByRole('log').locator('[data-message]').getByText(text, { exact: true }).waitFor()

/** What the server has, oldest first. */
async function stored(s: Stage): Promise<string[]> {
  const web = await s.as(s.alice.id, { session: true })
  const { data } = await web.call(listTimeline, { params: { id: s.office.id }, query: { limit: 100 } })
  return data.filter(({ system }) => !system).map(({ content }) => content)
}

test('browsers recover', async (t: TestContext) => {
  const s = await stage(t)
  if (!s) return
  const chat = `/chats/${s.office.id}`

  await t.test(
    'from a server that is killed while two of them talk: nothing is lost or doubled',
    async (t) => {
      const first = await s.startProcess(t)
      const line = await openLine(t, first.url)
      const [alice, bob] = await Promise.all(
        [s.alice, s.bob].map((person) => s.open(person, chat, { ...TALL, via: line.url })),
      )
      assert.ok(alice && bob)
      const texts = (name: string, from: number) => [1, 2, 3].map((n) => `${name} ${from + n}`)
      await Promise.all([alice, bob].map((page) => page.getByRole('log').waitFor()))
      for (const text of texts('alice', 0)) await send(alice, text)
      for (const text of texts('bob', 0)) await send(bob, text)
      // In the middle of what is being sent.
      await first.kill()
      for (const text of texts('alice', 3)) await send(alice, text)
      for (const text of texts('bob', 3)) await send(bob, text)
      const next = await s.startProcess(t)
      line.restore(next.url)
      for (const page of [alice, bob]) {
        await heard(page, 'alice 6')
        await heard(page, 'bob 6')
      }
      const all = await stored(s)
      assert.deepEqual(
        [...all].sort(),
        ['alice', 'bob'].flatMap((name) => [...texts(name, 0), ...texts(name, 3)]),
      )
      for (const name of ['alice', 'bob'])
        assert.deepEqual(
          all.filter((text) => text.startsWith(name)),
          [...texts(name, 0), ...texts(name, 3)],
        )
      await untilShows(alice, all)
      await untilShows(bob, all)
      await Promise.all([alice, bob].map((page) => page.context().close()))
    },
  )

  await t.test('from sleep, with more missed than a page holds', async (t) => {
    const line = await openLine(t, s.url)
    const bob = await s.open(s.bob, chat, { ...TALL, via: line.url })
    await heard(bob, 'bob 6')
    const devtools = await bob.context().newCDPSession(bob)
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
    line.cut()
    for (let n = 1; n <= 60; n += 1) await say(s, `asleep ${n}`)
    line.restore()
    await devtools.send('Page.setWebLifecycleState', { state: 'active' })
    await heard(bob, 'asleep 60')
    await untilEndsWith(bob, (await stored(s)).slice(-40))
    await bob.context().close()
  })

  await t.test('from a server that is too busy for a chat, or not well, when it is opened', async () => {
    const bob = await s.open(s.bob, '/')
    let status = 429
    const page = /\/v1\/chats\/\d+\/timeline/
    await bob.route(page, (route) => route.fulfill({ status, json: { errors: [] } }))
    await bob.getByRole('link', { name: /^office/ }).click()
    await bob.getByRole('heading', { name: 'Too many requests. Wait a moment.' }).waitFor()
    status = 503
    await bob.getByRole('button', { name: 'Try again' }).click()
    await bob.getByRole('heading', { name: 'Something went wrong. Try again.' }).waitFor()
    await bob.unroute(page)
    // Without being asked to.
    await bob.getByRole('log').locator('[data-message]').first().waitFor()

    // What is beside a chat, and settings, say so in their place.
    let isBusy = true
    await bob.route(/\/v1\/(chats\/\d+|profile\/(sign_in|push))$/, (route) =>
      isBusy ? route.fulfill({ status, json: { errors: [] } }) : route.continue(),
    )
    const failed = bob.getByRole('heading', { name: 'Something went wrong. Try again.' })
    for (const path of [`${chat}?panel=about`, '/settings/profile', '/settings/notifications']) {
      isBusy = true
      await bob.goto(s.url + path)
      await failed.waitFor()
      isBusy = false
      await failed.waitFor({ state: 'detached' })
    }
    await bob.context().close()
  })

  await t.test('from a server that is too busy for a thread, or has none', async () => {
    const { data: root } = await say(s, 'begins a thread')
    const { data: thread } = await s.alice.call(createThread, { params: { id: root.id } })
    const bob = await s.open(s.bob, '/')
    const pane = bob.getByRole('complementary', { name: 'Thread' })
    const failed = pane.getByRole('heading', { name: 'Something went wrong. Try again.' })
    const reply = pane.getByRole('textbox', { name: 'Reply' })
    const busy = { status: 503, json: { errors: [] } }
    const read = /\/v1\/threads\/\d+$/
    const replies = new RegExp(`/v1/chats/${thread.chat_id}/timeline`)
    await bob.route(replies, (route) => route.fulfill(busy))
    await bob.route(read, (route) => route.fulfill(busy))
    const seen = latch()
    const failLate = (route: Route) => seen.opened.then(() => route.fulfill(busy))
    await bob.route(read, failLate, { times: 1 })
    await bob.goto(`${s.url}${chat}?thread=${thread.id}`)
    await pane.getByRole('status', { name: 'Loading' }).waitFor()
    seen.open()
    await failed.waitFor()
    const field = bob.getByRole('textbox', { name: 'Message to office' })
    await field.fill('meanwhile')
    await bob.unroute(read)
    // Without being asked to, and without taking the focus from what is being written.
    await reply.waitFor()
    await failed.waitFor()
    await expectFocus(bob, 'textbox', 'Message to office')
    await pane.getByRole('button', { name: 'Try again' }).press('Enter')
    await failed.waitFor()
    await expectFocusKept(bob)
    await reply.fill('written before the replies are there')
    await bob.unroute(replies)
    await pane.getByText('No replies yet').waitFor()
    await expectFocus(bob, 'textbox', 'Reply')
    await field.fill('')
    await bob.goto(`${s.url}${chat}?thread=999999`)
    await pane.getByRole('heading', { name: 'This thread does not exist' }).waitFor()
    await bob.context().close()
  })

  await t.test('from a server that is too busy for a person, or knows none', async () => {
    const bob = await s.open(s.bob, '/')
    const read = /\/v1\/people\?/
    await bob.route(read, (route) => route.fulfill({ status: 503, json: { errors: [] } }))
    await bob.goto(`${s.url}/people/${s.mia.id}`)
    await bob.getByRole('heading', { name: 'Something went wrong. Try again.' }).waitFor()
    await bob.unroute(read)
    await bob.getByRole('textbox', { name: 'Message to Mia' }).waitFor()

    // A screen asks again by itself, a list where it is told to.
    const tasks = /\/v1\/tasks\?/
    await bob.route(tasks, (route) => route.fulfill({ status: 503, json: { errors: [] } }))
    await bob.getByRole('link', { name: 'Tasks' }).click()
    await bob.getByRole('heading', { name: 'Something went wrong. Try again.' }).waitFor()
    await bob.unroute(tasks)
    await bob.getByRole('heading', { name: 'No tasks' }).waitFor()
    await bob.route(read, (route) => route.abort())
    await bob.getByRole('link', { name: 'Message someone' }).click()
    const unreachable = bob.getByRole('heading', { name: 'The server cannot be reached.' })
    await unreachable.waitFor()
    await bob.unroute(read)
    const people = async (route: Route) => {
      const { data } = await (await route.fetch()).json()
      await route.fulfill({ json: { data, meta: { paginate: { has_next: true, next_page: 'next' } } } })
    }
    await bob.route(read, people, { times: 1 })
    await bob.getByRole('button', { name: 'Try again' }).click()
    const mia = bob.getByRole('main').getByRole('link', { name: /^Mia/ })
    await mia.waitFor()
    await bob.route(read, (route) => route.abort())
    await bob.getByRole('button', { name: 'Show more' }).click()
    await unreachable.waitFor()
    assert.ok(await mia.isVisible(), 'what was read stays')
    await bob.unroute(read)

    for (const nobody of ['999999', 'mia']) {
      await bob.goto(`${s.url}/people/${nobody}`)
      await bob.getByRole('heading', { name: 'This page does not exist' }).waitFor()
    }
    await bob.context().close()
  })

  await t.test('from a server that did not take what was read', async () => {
    await say(s, 'to be read')
    const bob = await s.open(s.bob, '/', TALL)
    let asked = 0
    await bob.route(/\/v1\/chats\/\d+\/read$/, (route) => {
      asked += 1
      return asked === 1 ? route.fulfill({ status: 503, json: { errors: [] } }) : route.continue()
    })
    await bob.getByRole('link', { name: /^office/ }).click()
    await heard(bob, 'to be read')
    const web = await s.as(s.bob.id, { session: true })
    const unread = async () =>
      (await web.call(getStart)).data.chats.find(({ id }) => id === s.office.id)?.unread_count
    await untilEquals(unread, 0)
    assert.ok(asked > 1)
    await bob.context().close()
  })

  await t.test('from a position that the server no longer keeps, to the state of a fresh load', async (t) => {
    const line = await openLine(t, s.url)
    const bob = await s.open(s.bob, '/', { ...TALL, via: line.url })
    // The older messages are asked for before the gap and come after it, when they have been asked for once more.
    const [asked, askedAgain] = [latch(), latch()]
    const older = /\/timeline\?before=/
    const refuse = (route: Route) => route.abort().then(askedAgain.open)
    const hold = async (route: Route) => {
      const response = await route.fetch()
      asked.open()
      await askedAgain.opened
      await route.fulfill({ response })
    }
    await bob.route(older, refuse, { times: 1 })
    await bob.route(older, hold, { times: 1 })
    await bob.getByRole('link', { name: /^office/ }).click()
    await heard(bob, 'asleep 60')
    await asked.opened
    const last = bob.getByRole('log').getByRole('article').filter({ hasText: 'asleep 60' })
    await last.hover()
    await bob.getByRole('button', { name: 'More', exact: true }).click()
    const marked = bob.waitForResponse('**/unread')
    await bob.getByRole('menuitem', { name: 'Mark unread from here' }).click()
    await marked
    line.cut()
    await say(s, 'while away')
    await say(s, 'still away')
    await s.drain()
    const web = await s.as(s.alice.id, { session: true })
    await s.forgetEventsBefore(Number((await web.call(getStart)).data.position))
    await say(s, 'after the gap')
    const readAgain = bob.waitForResponse('**/v1/start')
    line.restore()
    await readAgain
    await heard(bob, 'while away')
    await heard(bob, 'after the gap')
    await askedAgain.opened
    // What was marked unread stays so until the chat is left.
    const firstNew = async () =>
      /asleep \d+/.exec((await bob.getByRole('log').innerText()).split('\nNew\n')[1] ?? '')?.[0]
    await untilEquals(firstNew, 'asleep 60')
    const fresh = await s.open(s.bob, chat, TALL)
    await heard(fresh, 'after the gap')
    await untilShows(bob, await stored(s))
    await untilShows(fresh, await stored(s))
    const list = (page: Page) => page.getByRole('navigation', { name: 'Chats' }).innerText()
    await untilEquals(async () => (await list(bob)) === (await list(fresh)), true)
    await say(s, 'and goes on')
    await heard(bob, 'and goes on')
  })
  assert.deepEqual(s.complaints, [])
})
