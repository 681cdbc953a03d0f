import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addChatMembers, archiveChat, createUser, removeChatMember } from '@parley/contract'
import type { Page } from 'playwright-core'
import { faultsOf } from './axe.js'
import { stage, untilEquals, untilHolds } from './browser.js'

/** Keeps what screen readers are told of new messages, which goes after a while. */
const noteSaid = (page: Page) =>
  page.evaluate(() => {
    const said = new Set<string>()
    const note = () => said.add(document.querySelector('.timeline > .only-heard')?.textContent ?? '')
    const options = { childList: true, subtree: true, characterData: true }
    new MutationObserver(note).observe(document.querySelector('.timeline') as Node, options)
    Object.assign(window, { said })
  })

const said = (page: Page) =>
  page.evaluate(() => [...(window as unknown as { said: Set<string> }).said].filter((text) => text !== ''))

test('somebody signs in, writes a message, and another browser shows it', async (t) => {
  const s = await stage(t)
  if (!s) return
  await s.alice.call(addChatMembers, { params: { id: s.office.id }, body: { member_ids: [1] } })
  const { data: gus } = await s.owner.call(createUser, {
    body: { user: { email: 'gus@example.com', role: 'guest', chat_ids: [s.office.id] } },
  })
  const bob = await s.open(s.bob, `/chats/${s.office.id}`)
  await bob.getByRole('log').getByText('This is the beginning of the chat.').waitFor()
  await noteSaid(bob)

  const owner = await (await s.newContext()).newPage()
  // A browser writes each refusal on its console.
  const refused: string[] = []
  owner.on('response', (response) => void (response.ok() || refused.push(response.url())))
  await owner.goto(`${s.url}/chats/${s.office.id}`)
  await owner.getByLabel('Email').fill('owner@parley.local')
  await owner.getByLabel('Password').fill('correct horse')
  assert.deepEqual(await faultsOf(owner), [])
  await owner.getByRole('button', { name: 'Sign in' }).click()
  await owner.getByRole('log').waitFor()
  assert.deepEqual(refused, [])
  const field = owner.getByRole('textbox', { name: 'Message to office' })
  await field.fill('Hello **office**')
  await field.press('Enter')

  await bob.getByRole('log').getByText('Hello office').waitFor()
  await owner.getByRole('log').getByText('Hello office').waitFor()
  await untilEquals(() => said(bob), ['Owner: Hello office'])
  assert.equal(await owner.getByText('Hello office').count(), 1)
  assert.deepEqual(await faultsOf(owner), [])

  // What bob was writing when he was removed is still his.
  await bob.getByRole('textbox', { name: 'Message to office' }).fill('Half a sentence')
  await s.alice.call(removeChatMember, { params: { id: s.office.id, user_id: s.bob.id } })
  await bob.getByText('You no longer have access to this chat').waitFor()
  const left = bob.getByRole('region', { name: 'Your unsent text' })
  await left.getByText('Half a sentence').waitFor()
  assert.deepEqual(await faultsOf(bob), [])
  await s.alice.call(addChatMembers, { params: { id: s.office.id }, body: { member_ids: [s.bob.id] } })
  await untilHolds(bob.getByRole('textbox', { name: 'Message to office' }), 'Half a sentence')
  await s.alice.call(archiveChat, { params: { id: s.office.id } })
  await left.getByText('Half a sentence').waitFor()
  await left.getByRole('button', { name: 'Delete' }).click()
  await left.waitFor({ state: 'detached' })

  // A screen whose code does not come, as in a tab that is older than its server, leaves no empty pane.
  const code = '**/assets/tasks-screen*'
  await bob.route(code, (route) => route.abort())
  await bob.getByRole('link', { name: 'Tasks' }).click()
  await bob.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
  await bob.unroute(code)
  await bob.getByRole('button', { name: 'Reload' }).click()
  await bob.getByRole('heading', { name: 'Tasks', exact: true }).waitFor()

  // Nor does one whose code fails, and the other parts of the page stay as they are.
  await bob.evaluate(() => {
    const RelativeTimeFormat = class {
      constructor() {
        throw new Error('broken by the test')
      }
    }
    Object.assign(Intl, { RelativeTimeFormat })
  })
  await bob.goBack()
  await bob.getByRole('heading', { name: 'This page failed' }).waitFor()
  await bob.getByRole('link', { name: 'Tasks' }).click()
  await bob.getByRole('heading', { name: 'Tasks', exact: true }).waitFor()
  await bob.evaluate((path) => {
    const toLocaleUpperCase = () => {
      throw new Error('broken by the test')
    }
    Object.assign(String.prototype, { toLocaleUpperCase })
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, `/chats/${s.office.id}?panel=members`)
  // The list of chats and the pane beside the chat.
  const parts = bob.getByRole('heading', { name: 'This part of the page failed' })
  await untilEquals(() => parts.count(), 2)
  await bob.context().close()
  assert.match(s.complaints.splice(0).join(), /^Error: broken by the test/)

  // A guest is offered no chat to make.
  const visitor = await s.open(gus, '/')
  await visitor.getByRole('link', { name: 'New message', exact: true }).click()
  await visitor.getByRole('main').getByRole('heading', { name: 'People' }).waitFor()
  assert.equal(await visitor.locator('a[href="/new"]').count(), 0)
  for (const path of ['/bots', '/admin']) {
    await visitor.goto(s.url + path)
    await visitor.getByRole('heading', { name: 'You have no access to this page' }).waitFor()
  }
  // The address of an area leads to its first page.
  await visitor.goto(`${s.url}/settings`)
  await visitor.waitForURL(`${s.url}/settings/profile`)
  await owner.goto(`${s.url}/admin`)
  await owner.waitForURL(`${s.url}/admin/people`)
  assert.deepEqual(s.complaints, [])
})
