import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { addChatMembers } from '@parley/contract'
import type { Page } from 'playwright-core'
import { stage } from './browser.js'

const axe = () => readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Faults that a screen reader or a keyboard would meet, by rule and place. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe())
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target}`)))',
  )
}

test('somebody signs in, writes a message, and another browser shows it', async (t) => {
  const s = await stage(t)
  if (!s) return
  await s.alice.call(addChatMembers, { params: { id: s.office.id }, body: { member_ids: [1] } })
  const bob = await s.open(s.bob, `/chats/${s.office.id}`)
  await bob.getByRole('log').waitFor()

  const owner = await (await s.newContext()).newPage()
  await owner.goto(`${s.url}/chats/${s.office.id}`)
  await owner.getByLabel('Email').fill('owner@parley.local')
  await owner.getByLabel('Password').fill('secret')
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
