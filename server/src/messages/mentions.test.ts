import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, createThread } from '@parley/contract'
import { world } from '../testing/world.js'
import { saying } from './testing-saying.js'

test('a mention by id becomes one by name, unless it names nobody the author sees', async (t) => {
  const { alice, bob, mia, admin, office } = await world(t)
  const { data } = await alice.call(createMessage, saying(office.id, `<@${bob.id}> and <@424242>`))
  assert.equal(data.content, '@bob and <@424242>')
  const guest = await mia.call(createMessage, saying(office.id, `<@${bob.id}> <@${admin.id}>`))
  assert.equal(guest.data.content, `@bob <@${admin.id}>`)
})

test('in a chat a mention adds nobody; in a thread it invites people, tags and bots one may add', async (t) => {
  const { alice, bob, admin, bot, office, person, ctx, events } = await world(t)
  const tagged = await person({ nickname: 'tagged' })
  const guest = await person({ role: 'guest', nickname: 'visitor' })
  const tag = await ctx.db
    .insertInto('group_tags')
    .values({ name: 'Night Shift', created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.db.insertInto('user_tags').values({ tag_id: tag.id, user_id: tagged.id }).execute()
  const members = async (chat_id: number) => {
    const rows = await ctx.db
      .selectFrom('chat_members')
      .select('user_id')
      .where('chat_id', '=', chat_id)
      .orderBy('user_id')
      .execute()
    return rows.map(({ user_id }) => user_id)
  }
  const before = await members(office.id)
  const { data: parent } = await alice.call(createMessage, saying(office.id, 'hello @admin'))
  assert.deepEqual(await members(office.id), before)

  const { data: thread } = await alice.call(createThread, { params: { id: parent.id } })
  const into = (content: string, more: object = {}) =>
    saying(thread.id, content, { entity_type: 'thread', ...more })
  await bob.call(createMessage, into('@admin @NightShift', { skip_invite_mentions: true }))
  assert.deepEqual(await members(thread.chat_id), [alice.id, bob.id])
  await bob.call(createMessage, into('@all @here `@admin` a@admin'))
  assert.deepEqual(await members(thread.chat_id), [alice.id, bob.id])
  await bob.call(createMessage, into('@helper_bot come'))
  assert.deepEqual(await members(thread.chat_id), [alice.id, bob.id], 'only its creator adds this bot')
  await bob.call(createMessage, into('@Admin, @NightShift @visitor'))
  assert.deepEqual(
    await members(thread.chat_id),
    [admin.id, alice.id, bob.id, tagged.id].sort((a, b) => a - b),
  )
  assert.ok(!(await members(thread.chat_id)).includes(guest.id))
  await alice.call(createMessage, into('@helper_bot now'))
  assert.ok((await members(thread.chat_id)).includes(bot.id))
  const joined = (await events()).filter(({ type }) => type === 'chat_members.added')
  assert.ok(joined.every(({ payload }) => payload.thread_id === thread.id))
  assert.ok(joined.every(({ payload }) => payload.root_chat_id === office.id))
})
