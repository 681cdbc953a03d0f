import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createDraft } from '@parley/contract'
import { faultsInEveryLook } from './axe.js'
import { latch, stage, untilHolds } from './browser.js'

test('somebody schedules messages, sees when they go, and changes and deletes them', async (t) => {
  const s = await stage(t)
  if (!s) return
  // A few hours ahead of UTC: early in the morning it is the day before there.
  const page = await s.open(s.bob, `/chats/${s.office.id}`, { timezoneId: 'Europe/Moscow' })
  const field = page.getByRole('textbox', { name: 'Message to office' })
  const planned = latch()
  const drafts = /\/v1\/drafts$/
  await page.route(drafts, (route) => planned.opened.then(() => route.continue()), { times: 1 })
  const asked = page.waitForRequest(drafts)
  await field.fill('Good morning')
  await page.getByRole('button', { name: 'Send later' }).click()
  await page.getByRole('menuitem', { name: 'Tomorrow morning' }).click()
  await asked
  // What is typed before the answer stays.
  await field.press('End')
  await field.pressSequentially(' and good luck')
  planned.open()
  await page.getByText('Will be sent:').waitFor()
  await untilHolds(field, 'and good luck')

  // Calls about drafts take a while, and end with the page that made them.
  let late_ms = 300
  await page.route('**/v1/drafts/*', async (route) => {
    await setTimeout(late_ms)
    await route.continue().catch(() => {})
  })
  const saved = page.waitForResponse('**/v1/drafts/at')
  await field.fill('Weekly report')
  await page.getByRole('button', { name: 'Send later' }).click()
  await page.getByRole('menuitem', { name: 'Choose a date and time' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send later' })
  await dialog.getByLabel('Date').fill('2001-01-01')
  await dialog.getByText('This time has passed.').waitFor()
  await dialog.getByLabel('Date').fill('2040-01-05')
  await dialog.getByLabel('Time').fill('01:30')
  await dialog.getByLabel('Repeat').selectOption('weekly')
  await dialog.locator('ol').getByText('Thursday, 5 January 2040, 01:30').waitFor()
  await dialog.getByLabel('Mon').check()
  await dialog.locator('ol li').nth(4).waitFor()
  assert.equal(await dialog.locator('ol li').count(), 5)
  assert.deepEqual(await faultsInEveryLook(page), [])
  await saved
  await dialog.getByRole('button', { name: 'Schedule' }).click()
  await dialog.waitFor({ state: 'detached' })

  await page.goto(`${s.url}/later`)
  late_ms = 0
  const list = page.getByRole('main')
  await list.getByText('Every week').waitFor()
  assert.equal(await list.getByRole('listitem').count(), 2)
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await list.getByText('Good morning').click()
  await page.getByRole('textbox', { name: 'Text' }).fill('Good evening')
  await page.getByRole('button', { name: 'Save' }).click()
  await list.getByText('Good evening').waitFor()
  await list.getByRole('button', { name: 'Delete the message to office' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await list.getByText('Good evening').waitFor({ state: 'detached' })
  await list.getByText('Weekly report').waitFor()

  // However many there are, each can be changed and deleted.
  const start_date = '2041-01-05T10:30:00.000Z'
  const schedule = { start_date, end_date: null, repetition: { interval: 'once' as const } }
  const office = { entity_type: 'discussion' as const, entity_id: s.office.id }
  for (let n = 1; n <= 47; n += 1) {
    const draft = { ...office, content: `Next ${n}`, schedule }
    await s.bob.call(createDraft, { body: { draft } })
  }
  for (const { id } of [s.alice, s.mia, s.owner]) {
    const draft = { entity_type: 'user' as const, entity_id: id, content: 'Dear friend' }
    await s.bob.call(createDraft, { body: { draft } })
  }
  await page.reload()
  await list.getByText('Next 47').waitFor()
  assert.ok((await list.getByRole('listitem').count()) > 50)
  await list.getByText('Weekly report').waitFor()
  assert.deepEqual(s.complaints, [])
})
