import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addChatMembers } from '@parley/contract'
import { faultsOf } from './axe.js'
import { stage } from './browser.js'

test('somebody signs in, writes a message, and another browser shows it', async (t) => {
  const s = await stage(t)
  if (!s) return
  await s.alice.call(addChatMembers, { params: { id: s.office.id }, body: { member_ids: [1] } })
  const bob = await s.open(s.bob, `/chats/${s.office.id}`)
  await bob.getByRole('log').waitFor()

  const owner = await (await s.newContext()).newPage()
  await owner.goto(`${s.url}/chats/${s.office.id}`)
  await owner.getByLabel('Email').fill('owner@parley.local')
  await owner.getByLabel('Password').fill('correct horse')
  assert.deepEqual(await faultsOf(owner), [])
  await owner.getByRole('button', { name: 'Sign in' }).click()
  const field = owner.getByRole('textbox', { name: 'Message to office' })
  await field.fill('Hello **office**')
  await field.press('Enter')

  await bob.getByRole('log').getByText('Hello office').waitFor()
  await owner.getByRole('log').getByText('Hello office').waitFor()
  assert.equal(await owner.getByText('Hello office').count(), 1)
  assert.deepEqual(await faultsOf(owner), [])
  assert.deepEqual(s.complaints, [])
})
