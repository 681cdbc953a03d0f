import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import {
  addChatMembers,
  createMessage,
  createThread,
  getNotificationSettings,
  signOut,
} from '@parley/contract'
import type { BrowserContext, Page } from 'playwright-core'
import { isKept, type Stage, stage, untilEquals, untilHolds } from './browser.js'
import {
  changeSubscription,
  clickNotification,
  lookAway,
  lookBack,
  pusher,
  untilShown,
  workerOf,
} from './pushes.js'

const say = (s: Stage, content: string) =>
  s.alice.call(createMessage, { body: { message: { entity_id: s.office.id, content } } })

const heard = (page: Page, text: string) => page.getByRole('log').getByText(text).waitFor()

async function addTab(context: BrowserContext, url: string) {
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('log').waitFor()
  return page
}

/** How many streams the tabs hold, by the page that opened each. */
function countStreams(context: BrowserContext) {
  const open = new Map<unknown, Page>()
  context.on('request', (request) => {
    if (request.url().endsWith('/v1/live')) open.set(request, request.frame().page())
  })
  context.on('requestfailed', (request) => open.delete(request))
  context.on('requestfinished', (request) => open.delete(request))
  const forget = (page: Page) =>
    page.on('close', () => {
      for (const [request, of] of open) if (of === page) open.delete(request)
    })
  context.pages().forEach(forget)
  context.on('page', forget)
  return open
}

/** True once nothing is left on the device. */
const IS_CLEARED = `new Promise((resolve) => {
  const asked = indexedDB.open('parley')
  asked.onsuccess = async () => {
    const stores = [...asked.result.objectStoreNames]
    const counts = stores.map((name) => new Promise((done) => {
      const counted = asked.result.transaction(name).objectStore(name).count()
      counted.onsuccess = () => done(counted.result)
    }))
    const all = await Promise.all(counts)
    asked.result.close()
    const texts = Object.keys(localStorage).filter((name) => name.startsWith('parley-write:'))
    resolve(all.length === 3 && all.every((count) => count === 0) && texts.length === 0)
  }
})`

/** Writes of drafts and of the outbox never end: the browser aborts them when the page is left. */
const HOLD_WRITES = `{
  const commit = IDBTransaction.prototype.commit
  IDBTransaction.prototype.commit = function () {
    const [store] = this.objectStoreNames
    if (store === 'copy') return commit.call(this)
    const goOn = () => { this.objectStore(store).count().onsuccess = goOn }
    goOn()
  }
}`

const draftField = (page: Page) => page.getByRole('textbox', { name: 'Message to office' })

/** A point of P-256, as browsers send it. */
const PUBLIC_KEY = createECDH('prime256v1').generateKeys('base64url')

test('tabs and reloads', async (t: TestContext) => {
  const s = await stage(t)
  if (!s) return
  const chat = `/chats/${s.office.id}`
  await s.alice.call(addChatMembers, { params: { id: s.office.id }, body: { member_ids: [1] } })

  await t.test('tabs share one stream, which passes on when its tab closes or freezes', async () => {
    const first = await s.open(s.bob, chat)
    const context = first.context()
    const streams = countStreams(context)
    await first.reload()
    await first.getByRole('log').waitFor()
    const tabs = [first]
    const leaders = async () => [...streams.values()].map((tab) => tabs.indexOf(tab))
    // What the device kept is shown before this tab leads.
    await untilEquals(leaders, [0])
    // More than the six connections that a browser opens to one server.
    for (let count = 0; count < 6; count += 1) tabs.push(await addTab(context, s.url + chat))
    await say(s, 'to all tabs')
    for (const tab of tabs) await heard(tab, 'to all tabs')
    assert.deepEqual(await leaders(), [0])

    await first.close()
    await say(s, 'after the leader left')
    for (const tab of tabs.slice(1)) await heard(tab, 'after the leader left')
    await untilEquals(async () => streams.size, 1)
    const [leader] = streams.values()
    assert.ok(leader && leader !== first)

    const rest = tabs.filter((tab) => tab !== first && tab !== leader)
    const devtools = await context.newCDPSession(leader)
    // Nothing of the page runs any more, as when the browser freezes it.
    await devtools.send('Debugger.enable')
    await devtools.send('Debugger.pause')
    await say(s, 'while the leader is frozen')
    // Another one takes the lead once it has heard nothing for a while.
    for (const tab of rest) await heard(tab, 'while the leader is frozen')
    await draftField(rest[0] as Page).fill('from the others')
    await draftField(rest[0] as Page).press('Enter')
    await heard(rest[1] as Page, 'from the others')
    await devtools.send('Debugger.disable')
    await heard(leader, 'while the leader is frozen')
    await heard(leader, 'from the others')
    await context.close()
  })

  await t.test(
    'what is being written survives a reload, another chat and the end of the session',
    async () => {
      const session = await s.as(1, { session: true })
      const page = await s.open({ id: 1 }, chat, { session })
      await draftField(page).fill('half a thought')
      await page.reload()
      await draftField(page).waitFor()
      await untilHolds(draftField(page), 'half a thought')
      await draftField(page).fill('half a thought more')
      await page.goto(`${s.url}/`)
      await page.getByRole('link', { name: 'office' }).click()
      await untilHolds(draftField(page), 'half a thought more')
      await draftField(page).pressSequentially('!')
      await session.call(signOut)
      await page.getByText('Your session has ended.').waitFor()
      await page.getByLabel('Email').fill('owner@parley.local')
      await page.getByLabel('Password').fill('correct horse')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await draftField(page).waitFor()
      await untilHolds(draftField(page), 'half a thought more!')
      await page.context().close()
    },
  )

  await t.test('a page that is left at once loses neither a text nor a message', async () => {
    const page = await s.open(s.bob, chat)
    await draftField(page).waitFor()
    await page.evaluate(HOLD_WRITES)
    await draftField(page).fill('written at the last moment')
    await page.reload()
    await untilHolds(draftField(page), 'written at the last moment')
    // On its way when the page is closed.
    await page.route('**/v1/messages', () => {})
    await draftField(page).fill('sent at the last moment')
    await draftField(page).press('Enter')
    await heard(page, 'sent at the last moment')
    await page.close()
    const other = await s.open(s.alice, chat)
    await heard(other, 'sent at the last moment')
    await other.context().close()
  })

  await t.test('a message that was sent as its tab was closed is sent by another tab', async () => {
    const first = await s.open(s.bob, chat)
    await first.getByRole('log').waitFor()
    const second = await addTab(first.context(), s.url + chat)
    await second.evaluate(HOLD_WRITES)
    await draftField(second).fill('sent and gone')
    await draftField(second).press('Enter')
    await second.close()
    await heard(first, 'sent and gone')
    const other = await s.open(s.alice, chat)
    await heard(other, 'sent and gone')
    await other.context().close()
    await first.context().close()
  })

  await t.test('a thread that the device kept goes on after a reload, and is printed whole', async () => {
    const { data: root } = await say(s, 'a topic')
    const { data: thread } = await s.alice.call(createThread, { params: { id: root.id } })
    const reply = (content: string) =>
      s.alice.call(createMessage, {
        body: { message: { entity_type: 'thread', entity_id: thread.id, content } },
      })
    await reply('first reply')
    const page = await s.open(s.bob, `${chat}?thread=${thread.id}`)
    const replies = page.getByRole('complementary', { name: 'Thread' }).getByRole('log')
    await replies.getByText('first reply').waitFor()
    await untilEquals(() => page.evaluate(isKept(`run:${thread.chat_id}`)), true)
    const readAgain = page.waitForResponse(`**/v1/chats/${thread.chat_id}/timeline?*`)
    await page.reload()
    await replies.getByText('first reply').waitFor()
    await readAgain
    await reply('second reply')
    await replies.getByText('second reply').waitFor()

    await Promise.all(Array.from({ length: 30 }, (_, index) => reply(`further reply ${index}`)))
    await page.emulateMedia({ media: 'print' })
    await page.evaluate('dispatchEvent(new Event("beforeprint"))')
    const printed = page.locator('.timeline-print').getByRole('article').filter({ visible: true })
    await printed.nth(31).waitFor()
    assert.equal(await printed.count(), 32)
    for (const hidden of [page.getByRole('textbox'), page.getByRole('navigation'), page.getByRole('main')])
      assert.equal(await hidden.filter({ visible: true }).count(), 0)
    await page.context().close()
  })

  await t.test(
    'pushes reach the service worker, and the last chats are there without a connection',
    async () => {
      await say(s, 'kept on the device')
      const page = await s.open(s.bob, chat, { serviceWorkers: 'allow' })
      await heard(page, 'kept on the device')
      const worker = await workerOf(page)
      const push = await pusher(page)
      const about = { chat_id: s.office.id, author: 'Alice', chat: 'office', file_names: null, silent: false }
      const message = (message_id: number, text: string) =>
        push({ type: 'message', ...about, message_id, text, path: `${chat}?message=${message_id}` })
      await lookAway(worker)
      await message(1, 'first')
      await untilShown(worker, ['Alice · office: first'])
      await message(2, 'second')
      await untilShown(worker, ['Alice · office: second'])
      await push({ type: 'close', chat_id: s.office.id, message_id: 1 })
      await push({ type: 'test', nonce: 'n' })
      await untilShown(worker, [
        'Alice · office: second',
        'Notifications work: This is how Parley tells you about messages.',
      ])
      await push({ type: 'close', chat_id: s.office.id, message_id: 2 })
      await untilShown(worker, ['Notifications work: This is how Parley tells you about messages.'])
      const notice = { type: 'notice', kind: 'task.due', text: 'Call', path: '/tasks', language: null }
      await push({ ...notice, notice_id: 5, silent: false })
      await untilShown(worker, [
        'Notifications work: This is how Parley tells you about messages.',
        'A task is due: Call',
      ])
      await push({ type: 'close_notices', notice_ids: [5] })
      await untilShown(worker, ['Notifications work: This is how Parley tells you about messages.'])

      await changeSubscription(worker, {
        endpoint: 'https://push.example.org/renewed',
        keys: { p256dh: PUBLIC_KEY, auth: 'AAAAAAAAAAAAAAAAAAAAAA' },
      })
      const renewed = await page.evaluate(
        "fetch('/v1/profile/push').then((answer) => answer.json()).then(({ data }) => data[0].push_service)",
      )
      assert.equal(renewed, 'push.example.org')

      await lookBack(worker)
      await clickNotification(worker, '/settings/notifications')
      await page.getByRole('radio', { name: 'Every message' }).check()
      await page.getByRole('textbox', { name: 'Keywords' }).fill('lantern')
      const saved = page.waitForResponse(
        (answer) => answer.ok() && answer.request().postData()?.includes('lantern') === true,
      )
      await page.getByRole('textbox', { name: 'Keywords' }).press('Enter')
      await page.getByRole('button', { name: 'Remove lantern' }).waitFor()
      await saved
      await page.getByRole('button', { name: 'Check', exact: true }).click()
      await page.getByText('Broken: Your permission').waitFor()
      const kept = async () => {
        const { data } = await s.bob.call(getNotificationSettings)
        return [data.level, data.keywords]
      }
      await untilEquals<unknown>(kept, ['all', ['lantern']])
      await clickNotification(worker, chat)
      await heard(page, 'kept on the device')
      await untilEquals(() => page.evaluate(isKept(`run:${s.office.id}`)), true)

      await page.context().setOffline(true)
      await page.reload()
      await heard(page, 'kept on the device')
      await page.context().setOffline(false)
      await say(s, 'connected again')
      await heard(page, 'connected again')
      await page.context().close()
    },
  )

  await t.test('a start paints what the device kept; signing out clears it in every tab', async () => {
    const page = await s.open(s.bob, chat)
    await heard(page, 'connected again')
    await draftField(page).fill('never sent')
    // The copy is written after a pause.
    await untilEquals(() => page.evaluate(isKept(`run:${s.office.id}`)), true)
    let isHeld = true
    const held: (() => void)[] = []
    await page.route('**/v1/**', async (route) => {
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
      await route.continue().catch(() => {})
    })
    // What nobody understands must not keep a page from starting, and goes with everything else.
    await page.evaluate("localStorage.setItem('parley-write:unknown:1', '{')")
    await page.reload()
    await heard(page, 'connected again')
    await page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: 'office' }).waitFor()
    await untilHolds(draftField(page), 'never sent')
    isHeld = false
    for (const release of held) release()
    await say(s, 'and goes on')
    await heard(page, 'and goes on')

    const other = await addTab(page.context(), s.url + chat)
    await heard(other, 'and goes on')
    await page.getByRole('button', { name: 'Settings and more' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    // Where the draft could not be saved at once, the client asks first.
    const question = page.getByRole('dialog', { name: 'Sign out and lose unsent messages?' })
    await question.or(page.getByLabel('Password')).first().waitFor()
    if (await question.isVisible()) await question.getByRole('button', { name: 'Sign out' }).click()
    await other.getByLabel('Password').waitFor()
    await page.getByLabel('Password').waitFor()
    // The form is there a moment before everything is cleared.
    await untilEquals(() => other.evaluate(IS_CLEARED), true)
    await page.context().close()
  })
  assert.deepEqual(s.complaints, [])
})
