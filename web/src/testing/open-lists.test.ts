import { test } from 'node:test'
import {
  addChatMembers,
  createChat,
  createGroupTag,
  createMessage,
  createThread,
  createUser,
  updateChat,
  updateGroupTag,
  updateUser,
} from '@parley/contract'
import { stage, untilShows } from './browser.js'

test('lists that stay open show what others change', async (t) => {
  const s = await stage(t)
  if (!s) return
  const { data: tag } = await s.owner.call(createGroupTag, { body: { group_tag: { name: 'Sea' } } })
  const tags = await s.open(s.owner, '/admin/tags')
  await tags.getByRole('row', { name: 'Sea 0' }).waitFor()
  const people = await s.open(s.bob, '/people')
  await people.getByRole('link', { name: /@alice/ }).waitFor()
  const threads = await s.open(s.alice, '/threads')
  await threads.getByText('You are not following any threads yet').waitFor()

  const user = { email: 'nina@example.org', nickname: 'nina', list_tags: ['Sea'] }
  const { data: nina } = await s.owner.call(createUser, { body: { user } })
  await tags.getByRole('row', { name: 'Sea 1' }).waitFor()
  await people.getByRole('link', { name: /@nina/ }).waitFor()
  await s.owner.call(updateUser, { params: { id: nina.id }, body: { user: { nickname: 'ninette' } } })
  await people.getByRole('link', { name: /@ninette/ }).waitFor()
  await s.owner.call(updateGroupTag, { params: { id: tag.id }, body: { group_tag: { name: 'Lake' } } })
  await tags.getByRole('row', { name: 'Lake 1' }).waitFor()

  const message = { entity_id: s.office.id, content: 'Who comes?' }
  const { data: asked } = await s.alice.call(createMessage, { body: { message } })
  const { data: thread } = await s.bob.call(createThread, { params: { id: asked.id } })
  const reply = { entity_type: 'thread', entity_id: thread.id, content: 'Me' } as const
  await s.bob.call(createMessage, { body: { message: reply } })
  await threads.getByRole('article').getByText('Who comes?').waitFor()
})

test('an open chat that one is not in shows what is written there, until it is closed', async (t) => {
  const s = await stage(t)
  if (!s) return
  const chat = { name: 'Garden', public: true }
  const { data: garden } = await s.bob.call(createChat, { body: { chat } })
  const write = (content: string) =>
    s.bob.call(createMessage, { body: { message: { entity_id: garden.id, content } } })
  await write('Roses')
  const alice = await s.open(s.alice, `/chats/${garden.id}`)
  await untilShows(alice, ['Roses'])
  await write('Tulips')
  await s.bob.call(addChatMembers, { params: { id: garden.id }, body: { member_ids: [s.owner.id] } })
  await untilShows(alice, ['Roses', 'Tulips'])
  await alice.getByText('Open chat · 2 people').waitFor()
  await s.bob.call(updateChat, { params: { id: garden.id }, body: { chat: { public: false } } })
  await alice.getByText('You no longer have access to this chat').waitFor()
})
