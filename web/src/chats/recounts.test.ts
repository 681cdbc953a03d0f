import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChatCard } from '@parley/contract'
import { card, frame, message } from '../testing/shapes.js'
import { createScene } from '../testing/simulated/scene.js'

const ME = 9
const OTHER = 2

function open(chats: ChatCard[]) {
  const scene = createScene(1, ME)
  const { server, clock } = scene
  server.chats = chats
  const asked: number[] = []
  server.answers.set('getChatCard', ({ path }) => {
    const id = Number(path.split('/')[3])
    asked.push(id)
    return { data: server.chats.find((one) => one.id === id) }
  })
  const { client } = scene.browser.open()
  const tell = (type: string, payload: object, more: object = {}) => {
    server.tell(frame(type, payload as never, more))
    return clock.pass(3000)
  }
  return { ...scene, state: client.state, asked, tell }
}

const deleted = (id: number, more = {}) => ({
  chat_id: 1,
  message: message(id, { user_id: OTHER, deleted_at: new Date(0).toISOString(), ...more }),
})

test('a card that counts a message as unread is read again once the message is deleted', async () => {
  const counts = { read_message_id: 4, last_message_id: 6, unread_count: 2, mention_count: 1 }
  const { server, state, asked, tell, clock } = open([card(1, counts)])
  await clock.pass(1000)
  server.chats = [card(1, { ...counts, unread_count: 1, mention_count: 0 })]
  await tell('message.deleted', { message_id: 3 }, deleted(3))
  await tell('message.deleted', { message_id: 7 }, deleted(7, { user_id: ME }))
  assert.deepEqual(asked, [])
  await Promise.all([
    tell('message.deleted', { message_id: 5 }, deleted(5)),
    tell('message.deleted', { message_id: 5 }, deleted(5)),
  ])
  assert.deepEqual(asked, [1])
  const { unread_count, mention_count } = state.chats.value.get(1) ?? {}
  assert.deepEqual([unread_count, mention_count], [1, 0])
})

test('the line of a thread is read again once a reply is deleted', async () => {
  const line = { id: 7, chat_id: 70, last_reply_at: null, last_replier_ids: [OTHER], following: true }
  const parent = (replies_count: number) =>
    message(5, { thread: { ...line, replies_count, unread_count: replies_count } })
  const { server, state, tell, clock, browser } = open([card(1)])
  const meta = { has_older: false, has_newer: false, anchor_id: 5 }
  let replies = 2
  server.answers.set('listTimeline', () => ({ data: [parent(replies)], people: [], meta }))
  await clock.pass(1000)
  await Promise.all([browser.pages()[0]?.client.readTimeline(1, { newest: true }), clock.pass(1000)])
  replies = 1
  const reply = { entity_type: 'thread', entity_id: 7, chat_id: 70, root_chat_id: 1 }
  await tell('message.deleted', { message_id: 8 }, { ...deleted(8, reply), chat_id: 70 })
  const shown = state.messages.value.get(1)?.messages[0]?.thread
  assert.deepEqual([shown?.replies_count, shown?.unread_count], [1, 1])
})

test('a card is read again after members came or went: where the chat is open, or once it is opened', async () => {
  const { asked, tell, clock, browser } = open([card(1), card(2)])
  const client = browser.pages()[0]?.client
  await clock.pass(1000)
  await tell('chat_members.removed', { user_ids: [OTHER] }, { chat_id: 1 })
  assert.deepEqual([asked.splice(0), client?.recounts.isOwed(1)], [[1], false])
  await tell('chat_members.added', { user_ids: [OTHER] }, { chat_id: 2 })
  assert.deepEqual([asked, client?.recounts.isOwed(2)], [[], true])
  const read = client?.readChat(2)
  await clock.pass(1000)
  await read
  assert.deepEqual([asked, client?.recounts.isOwed(2)], [[2], false])
})

test('a card is read again after a tag that is bound to its chat was deleted', async () => {
  const { server, state, asked, tell, clock, browser } = open([
    card(1, { group_tag_ids: [5, 6] }),
    card(2, { group_tag_ids: [6] }),
    card(3, { group_tag_ids: [7] }),
  ])
  const client = browser.pages()[0]?.client
  await clock.pass(1000)
  server.chats = server.chats.map((one) => ({
    ...one,
    group_tag_ids: one.group_tag_ids.filter((id) => id !== 6),
  }))
  await tell('group_tag.deleted', { id: 6, name: 'Six' })
  assert.deepEqual([asked, state.chats.value.get(1)?.group_tag_ids], [[1], [5]])
  assert.deepEqual(
    [1, 2, 3].map((id) => client?.recounts.isOwed(id)),
    [false, true, false],
  )
})

test('cards of chats that are bound to tags are read again after my tags changed', async () => {
  const { asked, tell, clock, browser } = open([
    card(1, { group_tag_ids: [5] }),
    card(2, { group_tag_ids: [] }),
  ])
  const client = browser.pages()[0]?.client
  await clock.pass(1000)
  await tell('company_members.updated', { user_ids: [OTHER] })
  assert.deepEqual(asked, [])
  await tell('company_members.updated', { user_ids: [OTHER, ME] })
  assert.deepEqual([asked, client?.recounts.isOwed(2)], [[1], false])
})
