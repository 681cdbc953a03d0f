import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  archiveChat,
  bindChatTags,
  createChat,
  createGroupTag,
  createMessage,
  createTask,
  deleteGroupTag,
  getChat,
} from '@parley/contract'
import type { Page } from 'playwright-core'
import { faultsInEveryLook } from './axe.js'
import { latch, repeatUntilShown, stage, untilEquals } from './browser.js'

const OPENED = 12

/** How many nodes each of the chats that are opened one after the other adds to those before. */
async function nodesKeptByChats(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  const nodes = async () => {
    await session.send('HeapProfiler.collectGarbage')
    return (await session.send('Memory.getDOMCounters')).nodes
  }
  const entries = page.getByRole('navigation', { name: 'Chats' }).getByRole('link', { name: /^Table/ })
  // Of a long list only what is in view is drawn.
  await untilEquals(async () => (await entries.count()) >= OPENED, true)
  const paths = await entries.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  const open = async (path: string | null) => {
    const entry = page.locator(`a[href="${path}"]`)
    // Chats that are still coming move the list under the pointer, and a click goes elsewhere.
    await repeatUntilShown(page.locator(`a[href="${path}"][aria-current=page]`), () => entry.click())
    await page.getByRole('textbox', { name: /^Message/ }).waitFor()
  }
  for (const path of paths.slice(0, 4)) await open(path)
  const before = await nodes()
  const others = paths.slice(4, OPENED)
  for (const path of others) await open(path)
  return ((await nodes()) - before) / others.length
}

const pathOf = (page: Page) => new URL(page.url()).pathname

test('somebody jumps by keyboard, joins an open chat, makes one of their own and runs it', async (t) => {
  const s = await stage(t)
  if (!s) return
  const bob = await s.open(s.bob, '/')
  await bob.getByRole('navigation', { name: 'Chats' }).waitFor()

  await bob.keyboard.press('Control+k')
  const field = bob.getByRole('combobox', { name: 'A chat, a person or a command' })
  await field.fill('news')
  await bob.getByRole('option', { name: /news/ }).waitFor()
  assert.deepEqual(await faultsInEveryLook(bob), [])
  await bob.setViewportSize({ width: 1440, height: 900 })
  await field.press('Enter')
  await bob.getByRole('button', { name: 'Join' }).click()
  await bob.getByText('Only editors can write in this channel.').waitFor()

  await bob.keyboard.press('Control+k')
  await field.fill('browse')
  await bob.getByRole('option', { name: /Browse open chats/ }).waitFor()
  await field.press('Enter')
  await bob.getByRole('listitem').filter({ hasText: 'news' }).getByText('Joined').waitFor()
  assert.deepEqual(await faultsInEveryLook(bob), [])
  await bob.setViewportSize({ width: 1440, height: 900 })

  await bob.getByRole('link', { name: 'Archived' }).click()
  await bob.getByRole('link', { name: /attic/ }).waitFor()

  await bob.getByRole('main').getByRole('link', { name: 'New chat' }).click()
  await bob.getByLabel('Name').fill('Lunch')
  await bob.getByRole('combobox', { name: 'Members' }).fill('ali')
  await bob.getByRole('option', { name: /Alice/ }).click()
  assert.deepEqual(await faultsInEveryLook(bob), [])
  await bob.setViewportSize({ width: 1440, height: 900 })
  await bob.getByRole('button', { name: 'Create' }).click()
  await bob.getByRole('heading', { name: 'Lunch' }).waitFor()
  const lunch = pathOf(bob)

  await bob.getByRole('link', { name: 'Members' }).first().click()
  const panel = bob.getByRole('complementary', { name: 'Members' })
  await panel.getByRole('button', { name: 'Actions for Alice' }).click()
  await bob.getByRole('menuitemcheckbox', { name: 'Admin' }).click()
  await panel.getByRole('listitem').filter({ hasText: 'Alice' }).getByText('Admin').waitFor()
  await panel.getByRole('button', { name: /^Alice/ }).click()
  await bob.getByRole('dialog', { name: 'Alice' }).getByRole('button', { name: 'Message' }).waitFor()
  await bob.keyboard.press('Escape')
  assert.deepEqual(await faultsInEveryLook(bob), [])
  await bob.setViewportSize({ width: 1440, height: 900 })

  await panel.getByRole('link', { name: 'About' }).click()
  const room = await bob.getByRole('link', { name: 'Video room' }).getAttribute('href')
  assert.match(room ?? '', /\/meet\/[a-z0-9-]+-[0-9a-f]{32}$/)
  await bob.getByLabel('Name').fill('Dinner')
  await bob.getByRole('button', { name: 'Rename' }).click()
  await bob.getByRole('heading', { name: 'Dinner' }).waitFor()
  await bob.getByLabel('What this chat is for').fill('Who cooks when')
  await bob.getByRole('button', { name: 'Save', exact: true }).click()
  await bob.getByRole('button', { name: 'Save', exact: true }).waitFor({ state: 'detached' })
  const { data: dinner } = await s.alice.call(getChat, { params: { id: Number(lunch.split('/').pop()) } })
  assert.equal(dinner.description, 'Who cooks when')
  await bob.getByRole('button', { name: 'Add to favourites' }).click()
  await bob.getByRole('button', { name: 'Favourites', exact: true }).waitFor()
  await bob.getByRole('button', { name: 'Mute' }).click()
  assert.deepEqual(await faultsInEveryLook(bob), [])
  await bob.setViewportSize({ width: 1440, height: 900 })
  await bob.getByRole('button', { name: 'Leave' }).click()
  await bob.getByRole('dialog').getByRole('button', { name: 'Leave' }).click()
  await bob.waitForURL(`${s.url}/`)
  await bob.locator(`a[href="${lunch}"]`).waitFor({ state: 'detached' })

  await bob.goto(`${s.url}/people/${s.alice.id}`)
  const letter = bob.getByRole('textbox', { name: 'Message to Alice' })
  await letter.fill('Are you there?')
  await letter.press('Enter')
  await bob.waitForURL(/\/chats\/\d+/)
  await bob.getByRole('log').getByText('Are you there?').waitFor()

  // A long list shows the chat that was opened elsewhere, and a name that does not fit is there to be read.
  const name = 'Preparation of the yearly meeting of all departments'
  await s.bob.call(createChat, { body: { chat: { name } } })
  const names = Array.from({ length: 30 }, (_, index) => `Table ${index}`)
  await Promise.all(names.map((name) => s.bob.call(createChat, { body: { chat: { name } } })))
  await bob.keyboard.press('Control+k')
  await field.fill('preparation')
  await bob.getByRole('option', { name }).waitFor()
  await field.press('Enter')
  const current = bob.locator('a[aria-current=page]', { hasText: name })
  const tip = bob.locator('.tooltip', { hasText: name })
  // Chats that are still coming move the list under the pointer, and the tip goes.
  await repeatUntilShown(tip, async () => {
    await bob.mouse.move(0, 0)
    await current.hover()
  })
  assert.ok((await nodesKeptByChats(bob)) < 60, 'chats that were left keep their nodes')
  assert.deepEqual(s.complaints, [])
})

test('unread is taken back, everything is read at once, and a section of the list closes', async (t) => {
  const s = await stage(t)
  if (!s) return
  const saying = { body: { message: { entity_id: s.office.id, content: 'anybody?' } } }
  await s.alice.call(createMessage, saying)
  const bob = await s.open(s.bob, '/')
  const entry = bob.getByRole('link', { name: /office/ })
  await entry.getByText('1 unread').waitFor()
  await entry.focus()
  await bob.keyboard.press('Tab')
  await bob.keyboard.press('Enter')
  await bob.locator('[role=menuitem]:focus', { hasText: 'Mark as read' }).waitFor()
  await bob.keyboard.press('Enter')
  await entry.getByText('1 unread').waitFor({ state: 'detached' })
  await entry.hover()
  await bob.getByRole('button', { name: 'Actions for office' }).click()
  await bob.getByRole('menuitem', { name: 'Mark as unread' }).click()
  await entry.getByText('1 unread').waitFor()

  // What is marked unread where it is read stays unread until the chat is opened again.
  await entry.click()
  const asked = bob.getByRole('log').getByRole('article').filter({ hasText: 'anybody?' })
  await entry.getByText('1 unread').waitFor({ state: 'detached' })
  const line = bob.getByRole('log').getByText('New', { exact: true })
  await bob.getByRole('link', { name: 'Tasks' }).click()
  await asked.waitFor({ state: 'detached' })
  await entry.click()
  await asked.waitFor()
  assert.equal(await line.count(), 0)
  await asked.hover()
  await bob.getByRole('button', { name: 'More', exact: true }).click()
  await bob.getByRole('menuitem', { name: 'Mark unread from here' }).click()
  await line.waitFor()
  await entry.getByText('1 unread').waitFor()
  await bob.getByRole('link', { name: 'Tasks' }).click()
  await asked.waitFor({ state: 'detached' })
  // Also where the server hears late that it was read.
  const reading = latch()
  await bob.route('**/v1/chats/*/read', (route) => reading.opened.then(() => route.continue()))
  const order: string[] = []
  bob.on('response', (answer) => answer.url().endsWith('/read') && order.push('read'))
  bob.on('request', (asked) => asked.url().endsWith('/unread') && order.push('unread'))
  const isRead = bob.waitForRequest('**/v1/chats/*/read')
  await entry.click()
  await entry.getByText('1 unread').waitFor({ state: 'detached' })
  await isRead
  await bob.getByRole('link', { name: 'Tasks' }).click()
  await entry.hover()
  await bob.getByRole('button', { name: 'Actions for office' }).click()
  await bob.getByRole('menuitem', { name: 'Mark as unread' }).click()
  reading.open()
  await entry.getByText('1 unread').waitFor()
  assert.deepEqual(order, ['read', 'unread'])

  await bob.getByRole('button', { name: 'Chats', exact: true }).click()
  await entry.waitFor()
  await bob.keyboard.press('Control+k')
  await bob.getByRole('combobox', { name: /A chat/ }).fill('mark everything')
  await bob.getByRole('option', { name: /Mark everything/ }).click()
  await entry.waitFor({ state: 'detached' })
  assert.deepEqual(await faultsInEveryLook(bob), [])
  assert.deepEqual(s.complaints, [])
})

test('a status, a task and a notice', async (t) => {
  const s = await stage(t)
  if (!s) return
  await s.bob.call(createTask, { body: { task: { kind: 'call', content: 'Call the baker' } } })
  const alice = await s.open(s.alice, `/chats/${s.office.id}?panel=members`)
  const bob = await s.open(s.bob, '/tasks')
  await bob.getByRole('button', { name: 'Settings and more' }).click()
  await bob.getByRole('menuitem', { name: 'Set a status' }).click()
  await bob.getByRole('button', { name: 'On holiday' }).click()
  assert.deepEqual(await faultsInEveryLook(bob), [])
  await bob.setViewportSize({ width: 1440, height: 900 })
  await bob.getByRole('button', { name: 'Save' }).click()
  await bob.getByRole('navigation', { name: 'Chats' }).getByText('On holiday').waitFor()
  await alice.getByRole('button', { name: /^Bob/ }).click()
  await alice.getByRole('dialog', { name: 'Bob' }).getByText('On holiday').waitFor()

  await bob.getByRole('button', { name: 'New task' }).click()
  await bob.getByLabel('What needs to be done').fill('Buy flour')
  await bob.getByLabel('Due date').fill('2001-02-03')
  assert.deepEqual(await faultsInEveryLook(bob), [])
  await bob.setViewportSize({ width: 1440, height: 900 })
  await bob.getByRole('button', { name: 'Save' }).click()
  await bob.getByRole('heading', { name: 'Overdue' }).waitFor()
  await bob.getByRole('checkbox', { name: 'Done: Call the baker' }).click()
  await bob.getByText('Call the baker').waitFor({ state: 'detached' })
  assert.deepEqual(await faultsInEveryLook(bob), [])
  await bob.setViewportSize({ width: 1440, height: 900 })
  await bob.getByRole('link', { name: 'Done', exact: true }).click()
  await bob.getByText('Call the baker').waitFor()

  await bob.getByRole('link', { name: /^Notifications/ }).click()
  await bob.getByRole('heading', { name: 'Notifications', exact: true }).waitFor()
  assert.deepEqual(await faultsInEveryLook(bob), [])

  // Going back closes what is open over the screen, also where it is a part of the address.
  await bob.setViewportSize({ width: 1440, height: 900 })
  const dialogs = bob.getByRole('dialog')
  await bob.keyboard.press('Control+k')
  await dialogs.waitFor()
  await bob.goBack()
  await bob.getByText('Call the baker').waitFor()
  await dialogs.waitFor({ state: 'detached' })
  await bob.goForward()
  await bob.getByRole('heading', { name: 'Notifications', exact: true }).waitFor()
  await bob.getByRole('link', { name: 'Tasks', exact: true }).click()
  await bob.getByRole('button', { name: 'New task' }).click()
  await dialogs.waitFor()
  await bob.evaluate(() => history.go(-2))
  await bob.getByRole('heading', { name: 'Notifications', exact: true }).waitFor()
  await dialogs.waitFor({ state: 'detached' })
  assert.equal(new URL(bob.url()).pathname, '/notices')
  await bob.getByRole('link', { name: 'New message', exact: true }).click()
  await dialogs.waitFor()
  await bob.goBack()
  await bob.getByRole('heading', { name: 'Notifications', exact: true }).waitFor()
  await dialogs.waitFor({ state: 'detached' })
  assert.equal(new URL(bob.url()).pathname, '/notices')
  assert.deepEqual(s.complaints, [])
})

test("a section of one's own is made, filled by menu and by dragging, and is there on another device", async (t) => {
  const s = await stage(t)
  if (!s) return
  const bob = await s.open(s.bob, '/')
  const list = bob.getByRole('navigation', { name: 'Chats' })
  await list.getByRole('button', { name: 'New section' }).click()
  await bob.getByLabel('Name of the section').fill('Clients')
  await bob.getByLabel('Name of the section').press('Enter')
  const section = list.locator('section').filter({ has: bob.getByRole('heading', { name: 'Clients' }) })
  await section.getByText('Drag chats here').waitFor()
  await list.getByRole('link', { name: /office/ }).dragTo(section)
  await section.getByRole('link', { name: /office/ }).waitFor()
  const other = await s.open(s.bob, '/')
  const there = other.locator('section').filter({ has: other.getByRole('heading', { name: 'Clients' }) })
  await there.getByRole('link', { name: /office/ }).waitFor()

  await section.getByRole('link', { name: /office/ }).hover()
  await section.getByRole('button', { name: 'Actions for office' }).click()
  await bob.getByRole('menuitem', { name: 'Remove from the section' }).click()
  await section.getByText('Drag chats here').waitFor()
  await section.getByRole('button', { name: 'Actions for the section Clients' }).click()
  await bob.getByRole('menuitem', { name: 'Rename the section' }).click()
  await bob.getByLabel('Name of the section').fill('Guests')
  await bob.getByRole('button', { name: 'Save' }).click()
  await other.getByRole('heading', { name: 'Guests' }).waitFor()
  assert.deepEqual(s.complaints, [])
})

test('where nobody can write, nothing is answered or edited', async (t) => {
  const s = await stage(t)
  if (!s) return
  const said = { body: { message: { entity_id: s.office.id, content: 'The last word' } } }
  await s.bob.call(createMessage, said)
  await s.alice.call(archiveChat, { params: { id: s.office.id } })
  const page = await s.open(s.bob, `/chats/${s.office.id}`)
  await page.getByText('This chat is archived.').waitFor()
  await page.getByRole('article').filter({ hasText: 'The last word' }).hover()
  const bar = page.getByRole('toolbar')
  await bar
    .getByRole('button', { name: 'You are not allowed to do this.' })
    .and(page.locator(':disabled'))
    .waitFor()
  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Edit', disabled: true }).waitFor()
  assert.deepEqual(s.complaints, [])
})

test('the date of a task is taken away, a tick that is refused goes again, and tasks of others are only read', async (t) => {
  const s = await stage(t)
  if (!s) return
  const due = { kind: 'call' as const, content: 'Call the baker', due_at: '2001-02-03T23:59:59Z' }
  await s.bob.call(createTask, { body: { task: due } })
  const theirs = { kind: 'call' as const, content: 'Call the miller', chat_id: s.office.id }
  await s.alice.call(createTask, { body: { task: theirs } })
  const page = await s.open(s.bob, '/tasks')
  await page.getByText('Call the baker').click()
  await page.getByLabel('Due date').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'Overdue' }).waitFor({ state: 'detached' })
  const box = page.getByRole('checkbox', { name: 'Done: Call the baker' })
  await page.route('**/v1/tasks/*', (route) => route.fulfill({ status: 503, json: { errors: [] } }), {
    times: 1,
  })
  await box.click()
  await page.getByText('Something went wrong. Try again.').waitFor()
  assert.equal(await box.isChecked(), false)
  assert.ok(await page.getByRole('checkbox', { name: 'Done: Call the miller' }).isDisabled())
  await page.getByText('Call the miller').click()
  await page.getByText('Only its author and its assignees can change a task.').waitFor()
  assert.ok(await page.getByLabel('What needs to be done').isDisabled())
  assert.equal(await page.getByRole('button', { name: 'Save' }).count(), 0)
  assert.deepEqual(await faultsInEveryLook(page), [])
  assert.deepEqual(s.complaints, [])
})

test('who is not told that a tag of a chat was deleted sees what the chat is, all the same', async (t) => {
  const s = await stage(t)
  if (!s) return
  const group_tag_ids: number[] = []
  for (const name of ['Cooks', 'Guests']) {
    const { data } = await s.owner.call(createGroupTag, { body: { group_tag: { name } } })
    group_tag_ids.push(data.id)
  }
  await s.alice.call(bindChatTags, { params: { id: s.office.id }, body: { group_tag_ids } })
  const page = await s.open(s.mia, `/chats/${s.office.id}`)
  await page.getByRole('textbox', { name: /^Message/ }).waitFor()
  await s.owner.call(deleteGroupTag, { params: { id: group_tag_ids[0] as number } })
  await page.getByRole('link', { name: 'About' }).click()
  const panel = page.getByRole('complementary', { name: 'About' })
  await panel.getByText('Created by Alice').waitFor()
  await panel.getByText('Guests', { exact: true }).waitFor()
  assert.deepEqual(s.complaints, [])
})
