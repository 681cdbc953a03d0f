import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addChatMembers,
  archiveChat,
  bindChatTags,
  createMessage,
  createThread,
  getMessage,
  leaveChat,
  listMessages,
  removeChatMember,
  unbindChatTag,
  updateUser,
  updateWorkspaceSettings,
} from '@parley/contract'
import { tag } from '../chats/testing-stage.js'
import { type Person, type World, world } from '../testing/world.js'

const at = (id: number) => ({ params: { id } })
const REFUSED = { status: 403, code: 'not_authorized' }

async function write(someone: Person, chatId: number): Promise<number> {
  const { data } = await someone.call(createMessage, {
    body: { message: { entity_id: chatId, content: 'x' } },
  })
  return data.id
}

const comment = (thread: { id: number }) => ({
  body: { message: { entity_type: 'thread' as const, entity_id: thread.id, content: 'still here' } },
})

/** A thread under a message, in which everybody named has written. */
async function discuss({ alice }: World, chatId: number, ...people: Person[]) {
  const parent = await write(alice, chatId)
  const { data: thread } = await alice.call(createThread, at(parent))
  for (const one of people) await one.call(createMessage, comment(thread))
  return { ...thread, parent }
}

type Discussion = Awaited<ReturnType<typeof discuss>>

async function assertOut(someone: Person, thread: Discussion) {
  await assert.rejects(someone.call(listMessages, { query: { chat_id: thread.chat_id } }), REFUSED)
  await assert.rejects(someone.call(createMessage, comment(thread)), REFUSED)
  await assert.rejects(someone.call(getMessage, at(thread.parent)), REFUSED)
}

test('whoever leaves a closed chat, however it comes, leaves its threads and loses their parent messages', async (t) => {
  const stage = await world(t)
  const { admin, alice, bob, mia, office, person, events, drain } = stage
  const [carol, dave, eve] = [await person({}), await person({}), await person({})]
  const design = await tag(stage, 'Design', [dave, eve])
  await alice.call(addChatMembers, { ...at(office.id), body: { member_ids: [carol.id] } })
  await alice.call(bindChatTags, { ...at(office.id), body: { group_tag_ids: [design] } })
  const thread = await discuss(stage, office.id, bob, carol, dave, eve, mia)

  await bob.call(leaveChat, at(office.id))
  await alice.call(removeChatMember, { params: { id: office.id, user_id: carol.id } })
  await admin.call(updateUser, { ...at(dave.id), body: { user: { list_tags: [] } } })
  await alice.call(unbindChatTag, { params: { id: office.id, tag_id: design } })
  await drain()
  for (const one of [bob, carol, dave, eve]) await assertOut(one, thread)
  const told = (await events()).filter(
    ({ type, chat_id }) => type === 'chat_members.removed' && chat_id === thread.chat_id,
  )
  assert.deepEqual(
    told.map(({ payload }) => payload.user_ids),
    [[bob.id], [carol.id], [dave.id], [eve.id]],
  )

  await alice.call(archiveChat, at(office.id))
  await assertOut(mia, thread)
  assert.equal((await alice.send(createMessage, comment(thread))).status, 201)
})

test('a new thread brings nobody back who left the closed chat', async (t) => {
  const { alice, bob, office } = await world(t)
  const parent = await write(bob, office.id)
  await bob.call(leaveChat, at(office.id))
  const { data: thread } = await alice.call(createThread, at(parent))
  await assertOut(bob, { ...thread, parent })
})

test('an open chat takes nobody out of its threads but guests', async (t) => {
  const stage = await world(t)
  const { alice, bob, mia, news } = stage
  await alice.call(addChatMembers, { ...at(news.id), body: { member_ids: [bob.id, mia.id] } })
  const thread = await discuss(stage, news.id, bob, mia)
  await bob.call(leaveChat, at(news.id))
  assert.equal((await bob.send(createMessage, comment(thread))).status, 201)
  await alice.call(removeChatMember, { params: { id: news.id, user_id: mia.id } })
  await assertOut(mia, thread)
})

test('a workspace may let those who leave stay in the threads that they were in', async (t) => {
  const stage = await world(t)
  const { alice, as, bob, office, owner } = stage
  const session = await as(owner.id, { session: true })
  await session.call(updateWorkspaceSettings, { body: { removed_members_keep_threads: true } })
  const thread = await discuss(stage, office.id, bob)
  await alice.call(removeChatMember, { params: { id: office.id, user_id: bob.id } })
  assert.equal((await bob.send(createMessage, comment(thread))).status, 201)
  assert.equal((await bob.send(getMessage, at(thread.parent))).status, 200)
  await assert.rejects(bob.call(listMessages, { query: { chat_id: office.id } }), REFUSED)
})
