import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addChatMembers,
  type BodyOf,
  bindChatTags,
  createGroupTag,
  createMessage,
  createThread,
  listUnread,
  type Thread,
  updateUser,
} from '@parley/contract'
import { world } from '../testing/world.js'

test('who joins a chat has read what was there before, and hears what comes after', async (t) => {
  const w = await world(t)
  const { admin, alice, office, person } = w
  const say = (content: string) =>
    alice.call(createMessage, { body: { message: { entity_id: office.id, content } } })
  await say('long ago')
  await say('yesterday')
  const byHand = await w.as((await person({})).id, { session: true })
  const byTag = await w.as((await person({})).id, { session: true })
  const params = { id: office.id }
  await alice.call(addChatMembers, { params, body: { member_ids: [byHand.id] } })
  const { data: tag } = await admin.call(createGroupTag, { body: { group_tag: { name: 'Late' } } })
  await alice.call(bindChatTags, { params, body: { group_tag_ids: [tag.id] } })
  await admin.call(updateUser, { params: { id: byTag.id }, body: { user: { list_tags: ['Late'] } } })
  await w.drain()
  for (const newcomer of [byHand, byTag]) assert.deepEqual((await newcomer.call(listUnread)).data, [])
  await say('now')
  for (const newcomer of [byHand, byTag]) {
    const { data } = await newcomer.call(listUnread)
    assert.deepEqual(
      data.map(({ chat_id, unread_count }) => [chat_id, unread_count]),
      [[office.id, 1]],
    )
  }
})

test('who comes into a thread has read what was there before, and not the comment that calls them', async (t) => {
  const w = await world(t)
  const { alice, bob, mia, office, person } = w
  const say = (
    by: typeof alice,
    content: string,
    more: Partial<BodyOf<typeof createMessage>['message']> = {},
  ) => by.call(createMessage, { body: { message: { content, entity_id: office.id, ...more } } })
  const parent = (await say(alice, 'parent')).data
  const thread = (await alice.call(createThread, { params: { id: parent.id } })).data
  const comment = (by: typeof alice, content: string, { id }: Thread = thread) =>
    say(by, content, { entity_type: 'thread', entity_id: id })
  for (const content of ['1', '2']) await comment(alice, content)
  const unread = async ({ id }: { id: number }, { chat_id }: Thread = thread) => {
    const { data } = await (await w.as(id, { session: true })).call(listUnread)
    return data.find((one) => one.chat_id === chat_id)?.unread_count ?? 0
  }
  const called = await person({ nickname: 'called' })
  await comment(bob, '3 @called')
  assert.deepEqual([await unread(bob), await unread(called), await unread(alice)], [0, 1, 1])

  // Whom the parent names is among the first in its thread, however late they are brought in.
  const naming = (await say(alice, 'look @mia')).data
  const early = (await alice.call(createThread, { params: { id: naming.id } })).data
  await comment(alice, 'first', early)
  await w.drain()
  assert.equal(await unread(mia, early), 1)
})
