import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addChatMembers,
  archiveChat,
  createChat,
  createMessage,
  createThread,
  markChatRead,
} from '@parley/contract'
import { faultsInEveryLook } from './axe.js'
import { isKept, stage, untilEquals } from './browser.js'

test('somebody finds a message, goes through threads and mentions, and reads everything', async (t) => {
  const s = await stage(t)
  if (!s) return
  const say = async (
    entity_id: number,
    content: string,
    entity_type: 'discussion' | 'thread' = 'discussion',
  ) => (await s.alice.call(createMessage, { body: { message: { entity_id, content, entity_type } } })).data
  const asked = await say(s.office.id, 'Who brings the lantern to the harbour?')
  await say(s.office.id, 'And a rope')
  const thread = (await s.alice.call(createThread, { params: { id: asked.id } })).data
  await s.alice.call(addChatMembers, { params: { id: thread.chat_id }, body: { member_ids: [s.bob.id] } })
  const reply = await say(thread.id, 'The lantern is with @bob', 'thread')

  // A chat that no list has any more.
  const chat = { name: 'cellar', member_ids: [s.bob.id] }
  const cellar = (await s.alice.call(createChat, { body: { chat } })).data
  const kept = await say(cellar.id, 'Where is the wine?')
  const below = (await s.alice.call(createThread, { params: { id: kept.id } })).data
  await s.alice.call(addChatMembers, { params: { id: below.chat_id }, body: { member_ids: [s.bob.id] } })
  await say(below.id, 'Behind the door', 'thread')
  await s.alice.call(archiveChat, { params: { id: cellar.id } })

  const page = await s.open(s.bob, '/search')
  await page.getByRole('searchbox').fill('lanterns harbour')
  await page.getByRole('searchbox').press('Enter')
  await page.getByText('1 message').waitFor()
  assert.deepEqual(await page.locator('mark').allTextContents(), ['lantern', 'harbour'])
  await page.getByRole('combobox', { name: 'From' }).fill('mia')
  await page.getByRole('option', { name: 'Mia' }).click()
  await page.getByText('Nothing found').waitFor()
  await page.getByRole('button', { name: 'Remove the filter: From' }).click()
  await page.getByText('1 message').waitFor()
  // A year is typed digit by digit, and each of them makes a date.
  await page.getByLabel('After').pressSequentially('01022999')
  await page.waitForURL('**after=2999-*')
  await page.getByRole('heading', { name: 'Nothing found', exact: true }).waitFor()
  await page.getByLabel('After').fill('')
  await page.getByText('1 message').waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('searchbox').press('ArrowDown')
  await page.locator('main a:focus').press('Enter')
  await page.waitForURL(`**/chats/${s.office.id}?message=${asked.id}`)
  await page.locator(`[data-message="${asked.id}"].message-marked`).waitFor()
  let searches = 0
  page.on('request', (request) => (searches += request.url().includes('/search/messages') ? 1 : 0))
  await page.goBack()
  await page.getByText('1 message').waitFor()
  assert.equal(searches, 0)

  // What is shown of the snapshot before the start is answered is forgotten then, and read again.
  await untilEquals(() => page.evaluate(isKept('session')), true)
  const first = page.waitForResponse((response) => response.url().includes('/threads/inbox'))
  await page.route('**/v1/start', (route) => first.then(() => route.continue()))
  await page.goto(`${s.url}/threads`)
  const card = page.getByRole('article', { name: 'office' })
  await card.getByText('The lantern is with').waitFor()
  await page.getByRole('article', { name: 'cellar' }).getByText('Behind the door').waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await say(thread.id, 'Two of them', 'thread')
  await card.getByText('Two of them').waitFor()
  const counted = page.waitForResponse((response) => response.url().includes('/unread?'))
  await say(thread.id, 'And oil', 'thread')
  await card.getByText('3 unread').waitFor({ state: 'attached' })
  await counted
  await s.bob.call(markChatRead, { params: { id: thread.chat_id }, body: { message_id: reply.id } })
  await card.getByText('2 unread').waitFor({ state: 'attached' })

  // In a thread, too, a line says where the unread begins. What is read there counts no more below its message either.
  await page.setViewportSize({ width: 1280, height: 800 })
  await card.getByRole('link').first().click()
  const replies = page.getByRole('log', { name: 'Replies' })
  await replies.getByText('New', { exact: true }).waitFor()
  assert.match((await replies.innerText()).split('\nNew\n')[1] ?? '', /^.*Two of them.*And oil/s)
  const line = page.getByRole('log', { name: 'Messages' }).getByRole('link', { name: '3 replies' })
  await line.waitFor()
  await line.getByText('unread').waitFor({ state: 'detached' })
  await page.goBack()
  await card.getByRole('button', { name: 'Stop following' }).click()
  await card.getByRole('button', { name: 'Follow this thread' }).click()
  await card.getByRole('button', { name: 'Stop following' }).waitFor()

  // A line is drawn where it is marked, too.
  await card.getByRole('link').first().click()
  await replies.getByRole('article').filter({ hasText: 'Two of them' }).hover()
  await replies.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Mark unread from here' }).click()
  await replies.getByText('New', { exact: true }).waitFor()

  // What was there is read by now, or not: the chat was open for a moment.
  await say(s.office.id, 'And an oar')
  await page.goto(`${s.url}/unread`)
  await page.getByRole('main').getByRole('link', { name: 'office' }).waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: 'Mentions' }).click()
  await page.getByRole('main').getByText('The lantern is with @bob').waitFor()
  assert.deepEqual(await faultsInEveryLook(page), [])
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Chats' }).click()
  await page.getByText('You are all caught up').waitFor()
  assert.deepEqual(s.complaints, [])
})

test('more of an earlier search does not come among the results of another', async (t) => {
  const s = await stage(t)
  if (!s) return
  const say = (content: string) =>
    s.alice.call(createMessage, { body: { message: { entity_id: s.office.id, content } } })
  for (let n = 1; n <= 31; n += 1) await say(`Lantern ${n}`)
  await say('A rope')
  const page = await s.open(s.bob, '/search?q=lantern')
  await page.route(/search.messages.*cursor=/, () => {})
  const asked = page.waitForRequest(/cursor=/)
  await page.getByRole('button', { name: 'Show more' }).click()
  await asked
  const left = page.waitForEvent('requestfailed', (request) => request.url().includes('cursor='))
  await page.getByRole('searchbox').fill('rope')
  await page.getByRole('searchbox').press('Enter')
  await left
  const results = page.getByRole('list', { name: 'Results' }).getByRole('listitem')
  await results.getByText('A rope').waitFor()
  await untilEquals(() => results.count(), 1)
  assert.deepEqual(s.complaints, [])
})
