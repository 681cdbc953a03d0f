import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addChatMembers,
  archiveChat,
  bindChatTags,
  createChat,
  createMessage,
  getChat,
  unarchiveChat,
  updateUser,
} from '@parley/contract'
import { lines, tag } from '../chats/testing-stage.js'
import { type World, world } from '../testing/world.js'

const at = (id: number) => ({ params: { id } })

const setBot = ({ ctx, bot }: World, change: object) =>
  ctx.db.updateTable('bots').set(change).where('user_id', '=', bot.id).execute()

test('a bot of one chat that found another is left out when its chat comes back', async (t) => {
  const stage = await world(t)
  const { alice, bot, office } = stage
  await setBot(stage, { single_chat: true })
  await alice.call(archiveChat, at(office.id))
  const { data: other } = await alice.call(createChat, { body: { chat: { name: 'other' } } })
  await alice.call(addChatMembers, { ...at(other.id), body: { member_ids: [bot.id] } })
  await alice.call(unarchiveChat, at(office.id))
  const members = async (id: number) => (await alice.call(getChat, at(id))).data.member_ids
  assert.ok(!(await members(office.id)).includes(bot.id))
  assert.ok((await members(other.id)).includes(bot.id))
  const said = { body: { message: { entity_id: office.id, content: 'hello' } } }
  await assert.rejects(bot.call(createMessage, said), { status: 403, code: 'not_authorized' })
  assert.ok((await lines(stage, office.id)).some((line) => line.includes('was left out')))
})

test('a bot of one chat comes back with it where it found no other', async (t) => {
  const stage = await world(t)
  const { alice, bot, office } = stage
  await setBot(stage, { single_chat: true })
  await alice.call(archiveChat, at(office.id))
  await alice.call(unarchiveChat, at(office.id))
  assert.ok((await alice.call(getChat, at(office.id))).data.member_ids.includes(bot.id))
})

test('a tag brings no bot that whoever binds it may not add, and the answer names it', async (t) => {
  const stage = await world(t)
  const { admin, alice, bob, bot, url } = stage
  await setBot(stage, { who_can_add: 'creator' })
  const design = await tag(stage, 'Design', [bot])
  const group_tag_ids = [design]
  const newChat = async (chat: object) => {
    const response = await fetch(`${url}/v1/chats`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${bob.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ chat: { name: 'his', ...chat } }),
    })
    const { data } = (await response.json()) as { data: { id: number; member_ids: number[] } }
    return { ...data, ignored: response.headers.get('Parley-Ignored') }
  }
  const made = await newChat({ group_tag_ids })
  assert.deepEqual([made.member_ids, made.ignored], [[bob.id], `bot_id:${bot.id}`])

  const chat = await newChat({})
  const bound = await bob.send(bindChatTags, { ...at(chat.id), body: { group_tag_ids } })
  assert.equal(bound.headers.get('Parley-Ignored'), `bot_id:${bot.id}`)
  const members = async () => (await bob.call(getChat, at(chat.id))).data.member_ids
  assert.deepEqual(await members(), [bob.id])

  // Nor does a tag that an admin gives it.
  const tags = (list_tags: string[]) =>
    admin.call(updateUser, { ...at(bot.id), body: { user: { list_tags } } })
  await tags([])
  await tags(['Design'])
  assert.deepEqual(await members(), [bob.id])

  // Its creator may.
  await bob.call(addChatMembers, { ...at(chat.id), body: { member_ids: [alice.id] } })
  await alice.call(bindChatTags, { ...at(chat.id), body: { group_tag_ids } })
  assert.ok((await members()).includes(bot.id))
})
