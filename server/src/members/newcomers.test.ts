import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addChatMembers,
  bindChatTags,
  createGroupTag,
  createMessage,
  listUnread,
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
