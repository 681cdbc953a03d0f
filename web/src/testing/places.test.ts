import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, createTask } from '@parley/contract'
import type { Page } from 'playwright-core'
import { faultsInEveryLook } from './axe.js'
import { stage } from './browser.js'

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
  await bob.getByText('Only editors write in this channel.').waitFor()

  await bob.keyboard.press('Control+k')
  await field.fill('browse')
  await bob.getByRole('option', { name: /Browse open chats/ }).waitFor()
  await field.press('Enter')
  await bob.getByRole('listitem').filter({ hasText: 'news' }).getByText('You are in it').waitFor()
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
  await panel.getByRole('button', { name: 'Role of Alice and more' }).click()
  await bob.getByRole('menuitemcheckbox', { name: 'Admin' }).click()
  await panel.getByRole('listitem').filter({ hasText: 'Alice' }).getByText('Admin').waitFor()
  await panel.getByRole('button', { name: /^Alice/ }).click()
  await bob.getByRole('dialog', { name: 'Alice' }).getByRole('button', { name: 'Write' }).waitFor()
  await bob.keyboard.press('Escape')
  assert.deepEqual(await faultsInEveryLook(bob), [])
  await bob.setViewportSize({ width: 1440, height: 900 })

  await panel.getByRole('link', { name: 'About' }).click()
  await bob.getByLabel('Name').fill('Dinner')
  await bob.getByRole('button', { name: 'Rename' }).click()
  await bob.getByRole('heading', { name: 'Dinner' }).waitFor()
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
  await bob.getByRole('button', { name: 'What to do with office' }).click()
  await bob.getByRole('menuitem', { name: 'Mark as unread' }).click()
  await entry.getByText('1 unread').waitFor()

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
  await bob.getByLabel('What is to be done').fill('Buy flour')
  await bob.getByLabel('Due on').fill('2001-02-03')
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

  await bob.getByRole('link', { name: /^Notices/ }).click()
  await bob.getByRole('heading', { name: 'Notices' }).waitFor()
  assert.deepEqual(await faultsInEveryLook(bob), [])
  assert.deepEqual(s.complaints, [])
})
