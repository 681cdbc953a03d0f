import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createMessage,
  createStandaloneThread,
  createThread,
  deleteMessage,
  getMessage,
  listMessages,
} from '@parley/contract'
import { actingFor } from '../platform/actor.js'
import { world } from '../testing/world.js'
import { postMessage } from './post.js'

const saying = (entity_id: number, content: string, more: object = {}) => ({
  body: { message: { entity_id, content, ...more } },
})

test('a message is sent and read again as it was answered, on the hot way and on the plain one', async (t) => {
  const { alice, bob, bot, office, events } = await world(t)
  const { data } = await alice.call(createMessage, saying(office.id, 'hello **all** \n"quoted" \\ 🙂'))
  assert.equal(data.entity_type, 'discussion')
  assert.equal(data.entity_id, office.id)
  assert.equal(data.root_chat_id, office.id)
  assert.equal(data.user_id, alice.id)
  assert.equal(data.changed_at, data.created_at)
  assert.equal('display_name' in data, false)
  assert.match(data.url, new RegExp(`/chats/${office.id}\\?message=${data.id}$`))
  assert.deepEqual((await bob.call(getMessage, { params: { id: data.id } })).data, data)

  const plain = await bob.call(createMessage, {
    ...saying(office.id, 'once'),
    idempotency_key: 'k1',
  })
  const again = await bob.call(createMessage, { ...saying(office.id, 'once'), idempotency_key: 'k1' })
  assert.deepEqual(again, plain)
  assert.deepEqual(Object.keys(plain.data).sort(), Object.keys(data).sort())
  const spoken = await bot.call(createMessage, saying(office.id, 'beep'))
  assert.equal(spoken.data.display_name, null)
  assert.deepEqual((await alice.call(listMessages, { query: { chat_id: office.id } })).data, [
    spoken.data,
    plain.data,
    data,
  ])
  const told = (await events()).filter(({ type }) => type === 'message.created')
  assert.deepEqual(
    told.map(({ payload }) => payload.message_id),
    [data.id, plain.data.id, spoken.data.id],
  )
  assert.deepEqual(Object.keys(told[0]?.payload ?? {}).sort(), Object.keys(told[1]?.payload ?? {}).sort())
})

test('what a message moves: the chat, the pointer of its author, the event and the audit log', async (t) => {
  const { alice, bob, office, ctx, clock } = await world(t)
  clock.advance(60_000)
  const { data } = await alice.call(createMessage, saying(office.id, 'hello'))
  const chat = await ctx.db
    .selectFrom('chats')
    .selectAll()
    .where('id', '=', office.id)
    .executeTakeFirstOrThrow()
  assert.equal(chat.last_message_id, data.id)
  assert.equal(chat.last_message_at.toISOString(), data.created_at)
  const pointers = await ctx.db
    .selectFrom('chat_members')
    .select(['user_id', 'read_message_id'])
    .where('chat_id', '=', office.id)
    .execute()
  assert.equal(pointers.find(({ user_id }) => user_id === alice.id)?.read_message_id, data.id)
  assert.equal(pointers.find(({ user_id }) => user_id === bob.id)?.read_message_id, 0)
  const audit = await ctx.db.selectFrom('audit_events').selectAll().execute()
  assert.deepEqual(
    audit.map(({ event_key, actor_id, entity_type, entity_id }) => ({
      event_key,
      actor_id,
      entity_type,
      entity_id,
    })),
    [
      {
        event_key: 'message_created',
        actor_id: alice.id,
        entity_type: 'Message',
        entity_id: String(data.id),
      },
    ],
  )
})

test('who may not write is told so, and nothing happens', async (t) => {
  const { alice, bob, admin, mia, bot, office, attic, news, events } = await world(t)
  const refused = { status: 403, code: 'not_authorized' }
  await assert.rejects(alice.call(createMessage, saying(attic.id, 'anyone?')), refused)
  await assert.rejects(bob.call(createMessage, saying(news.id, 'open, but not joined')), refused)
  await assert.rejects(admin.call(createMessage, saying(office.id, 'I am an admin')), refused)
  await assert.rejects(bot.call(createMessage, saying(news.id, 'beep')), refused)
  await assert.rejects(mia.call(createMessage, saying(news.id, 'hi')), refused)
  await assert.rejects(alice.call(createMessage, saying(999_999, 'hi')), {
    status: 404,
    code: 'not_found',
  })
  await assert.rejects(alice.call(createMessage, saying(999_999, 'hi', { entity_type: 'thread' })), {
    status: 404,
  })
  await assert.rejects(alice.call(createMessage, saying(999_999, 'hi', { entity_type: 'user' })), {
    status: 404,
  })
  await assert.rejects(alice.call(createMessage, saying(2 ** 52, 'hi', { entity_type: 'user' })), {
    status: 404,
  })
  assert.deepEqual(await events(), [])
})

test('a subscriber of a channel reads, an editor writes', async (t) => {
  const { alice, bob, news, ctx } = await world(t)
  const member = { chat_id: news.id, user_id: bob.id, role: 'member', joined_at: new Date() }
  await ctx.db.insertInto('chat_members').values(member).execute()
  await alice.call(createMessage, saying(news.id, 'news'))
  await assert.rejects(bob.call(createMessage, saying(news.id, 'me too')), { status: 403 })
  await ctx.db
    .updateTable('chat_members')
    .set({ role: 'editor' })
    .where('chat_id', '=', news.id)
    .where('user_id', '=', bob.id)
    .execute()
  await bob.call(createMessage, saying(news.id, 'now I may'))
})

test('a body is told everything that is wrong with it', async (t) => {
  const { alice, bot, office } = await world(t)
  await assert.rejects(alice.call(createMessage, saying(office.id, '  \n ')), { status: 422, code: 'blank' })
  await assert.rejects(alice.call(createMessage, { body: { message: { entity_id: office.id } } }), {
    status: 422,
    code: 'blank',
  })
  await assert.rejects(alice.call(createMessage, saying(office.id, 'я'.repeat(20_001))), {
    status: 422,
    code: 'too_long',
  })
  await alice.call(createMessage, saying(office.id, 'я'.repeat(20_000)))
  await assert.rejects(alice.call(createMessage, saying(office.id, 'x', { entity_type: 'room' as never })), {
    status: 400,
    code: 'invalid',
  })
  await alice.call(createMessage, saying(office.id, 'x', { entity_type: 'DISCUSSION' as never }))
  await assert.rejects(alice.call(createMessage, saying(office.id, 'half a character \ud800')), {
    status: 422,
    code: 'invalid',
  })
  await assert.rejects(alice.call(createMessage, {} as never), { status: 400, code: 'required' })
  await assert.rejects(alice.call(createMessage, saying(office.id, 'x', { display_name: 'Boss' })), {
    status: 403,
    code: 'not_authorized',
  })
  const wrong = bot.call(
    createMessage,
    saying(office.id, ' ', { buttons: [[{ text: 'x', url: 'https://x.org', data: 'y' }], []] }),
  )
  await assert.rejects(wrong, (error: { status: number; errors: { key: string; code: string }[] }) => {
    assert.equal(error.status, 422)
    assert.deepEqual(
      error.errors.map(({ key, code }) => `${key} ${code}`),
      ['content blank', 'buttons.0.0 wrong_params', 'buttons.1 blank'],
    )
    return true
  })
})

test('buttons and a face of its own are for bots; for people buttons are left aside', async (t) => {
  const { alice, bot, office } = await world(t)
  const buttons = [
    [
      { text: 'Yes', data: 'yes' },
      { text: 'Site', url: 'https://x.org' },
    ],
  ]
  const face = { display_name: 'Build', display_avatar_url: 'https://x.org/a.png' }
  const { data } = await bot.call(createMessage, saying(office.id, 'deploy?', { buttons, ...face }))
  assert.deepEqual(data.buttons, buttons)
  assert.equal(data.display_name, 'Build')
  const sent = await alice.send(createMessage, saying(office.id, 'deploy?', { buttons }))
  assert.equal(sent.body.data.buttons, null)
  assert.equal(sent.headers.get('parley-ignored'), 'buttons')
  const rows = Array.from({ length: 13 }, () => Array.from({ length: 8 }, () => ({ text: 'b', data: 'd' })))
  await assert.rejects(bot.call(createMessage, saying(office.id, 'many', { buttons: rows })), {
    status: 422,
    code: 'too_long',
  })
})

test('an answer goes where its question is', async (t) => {
  const { alice, bob, office } = await world(t)
  const other = await alice.call(createMessage, saying(bob.id, 'psst', { entity_type: 'user' }))
  const { data } = await alice.call(createMessage, saying(office.id, 'question'))
  const answer = await bob.call(createMessage, saying(office.id, 'answer', { parent_message_id: data.id }))
  assert.equal(answer.data.parent_message_id, data.id)
  await assert.rejects(
    bob.call(createMessage, saying(office.id, 'x', { parent_message_id: other.data.id })),
    { status: 422, code: 'wrong_params' },
  )
  await alice.call(deleteMessage, { params: { id: data.id } })
  await assert.rejects(bob.call(createMessage, saying(office.id, 'x', { parent_message_id: data.id })), {
    status: 422,
    code: 'message_deleted',
  })
  assert.equal(
    (await bob.call(getMessage, { params: { id: answer.data.id } })).data.parent_message_id,
    data.id,
  )
})

test('two people have one personal chat, and each sees the other as what it belongs to', async (t) => {
  const { alice, bob, admin } = await world(t)
  const first = await alice.call(createMessage, saying(bob.id, 'hi bob', { entity_type: 'user' }))
  const second = await bob.call(createMessage, saying(alice.id, 'hi alice', { entity_type: 'user' }))
  const third = await alice.call(createMessage, saying(first.data.chat_id, 'by chat id'))
  assert.equal(second.data.chat_id, first.data.chat_id)
  assert.equal(third.data.chat_id, first.data.chat_id)
  assert.deepEqual([first.data.entity_type, first.data.entity_id], ['user', bob.id])
  assert.deepEqual([second.data.entity_type, second.data.entity_id], ['user', alice.id])
  const page = await alice.call(listMessages, { query: { chat_id: first.data.chat_id } })
  assert.deepEqual(
    page.data.map(({ entity_id }) => entity_id),
    [bob.id, bob.id, bob.id],
  )
  const mirrored = await bob.call(listMessages, { query: { chat_id: first.data.chat_id } })
  assert.deepEqual(
    mirrored.data.map(({ entity_id }) => entity_id),
    [alice.id, alice.id, alice.id],
  )
  await assert.rejects(admin.call(listMessages, { query: { chat_id: first.data.chat_id } }), { status: 403 })
  const notes = await alice.call(createMessage, saying(alice.id, 'to do', { entity_type: 'user' }))
  assert.equal(notes.data.entity_id, alice.id)
})

test('two first messages at once open one personal chat', async (t) => {
  const { alice, bob } = await world(t)
  const sent = await Promise.all([
    alice.call(createMessage, saying(bob.id, 'a', { entity_type: 'user' })),
    bob.call(createMessage, saying(alice.id, 'b', { entity_type: 'user' })),
    alice.call(createMessage, saying(bob.id, 'c', { entity_type: 'user' })),
  ])
  assert.equal(new Set(sent.map(({ data }) => data.chat_id)).size, 1)
})

test('nobody writes to who is suspended or gone', async (t) => {
  const { alice, bob, person, ctx } = await world(t)
  const sleeper = await person({ suspended: true })
  await assert.rejects(alice.call(createMessage, saying(sleeper.id, 'hi', { entity_type: 'user' })), {
    status: 422,
    code: 'personal_chat',
  })
  const { data } = await alice.call(createMessage, saying(bob.id, 'hi', { entity_type: 'user' }))
  await ctx.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', bob.id).execute()
  for (const entity of [{ entity_type: 'user', entity_id: bob.id }, { entity_id: data.chat_id }] as const) {
    await assert.rejects(alice.call(createMessage, { body: { message: { ...entity, content: 'still?' } } }), {
      status: 422,
      code: 'personal_chat',
    })
  }
})

test('a person writes to a bot that is public, shares a live chat, or wrote first', async (t) => {
  const { alice, bob, admin, bot, office, ctx } = await world(t)
  const to = (content: string) => saying(bot.id, content, { entity_type: 'user' })
  await bob.call(createMessage, to('we share the office'))
  await assert.rejects(admin.call(createMessage, to('we share nothing')), {
    status: 403,
    code: 'not_authorized',
  })
  await bot.call(createMessage, saying(admin.id, 'I write first', { entity_type: 'user' }))
  await admin.call(createMessage, to('now I may'))
  await ctx.db.updateTable('chats').set({ archived_at: new Date() }).where('id', '=', office.id).execute()
  await assert.rejects(alice.call(createMessage, to('the chat is archived')), { status: 403 })
  await ctx.db.updateTable('bots').set({ who_can_add: 'anyone' }).where('user_id', '=', bot.id).execute()
  await alice.call(createMessage, to('public now'))
})

test('a multi-guest writes to those he sees; the others are not there for him', async (t) => {
  const { mia, alice, admin } = await world(t)
  await mia.call(createMessage, saying(alice.id, 'hi', { entity_type: 'user' }))
  await assert.rejects(mia.call(createMessage, saying(admin.id, 'hi', { entity_type: 'user' })), {
    status: 404,
  })
})

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

test('threads of open chats and archived chats take messages, closed ones only from those who see them', async (t) => {
  const { alice, bob, admin, mia, bot, news, office, ctx } = await world(t)
  const { data: parent } = await alice.call(createMessage, saying(news.id, 'news'))
  const { data: thread } = await bob.call(createThread, { params: { id: parent.id } })
  const into = (content: string) => saying(thread.id, content, { entity_type: 'thread' })
  const { data } = await bob.call(createMessage, into('not a member, yet here'))
  assert.deepEqual(
    [data.entity_type, data.entity_id, data.chat_id, data.root_chat_id, data.thread],
    ['thread', thread.id, thread.chat_id, news.id, null],
  )
  await bot.call(createMessage, into('beep'))
  await bot.call(createMessage, saying(thread.chat_id, 'by chat id'))
  await assert.rejects(mia.call(createMessage, into('guest')), { status: 403 })
  await ctx.db.updateTable('chats').set({ archived_at: new Date() }).where('id', '=', news.id).execute()
  await bob.call(createMessage, into('threads stay open'))

  const { data: closed } = await alice.call(createMessage, saying(office.id, 'inside'))
  const { data: inner } = await alice.call(createThread, { params: { id: closed.id } })
  await assert.rejects(admin.call(createMessage, saying(inner.id, 'x', { entity_type: 'thread' })), {
    status: 403,
  })
  const { data: alone } = await alice.call(createStandaloneThread)
  const own = await alice.call(createMessage, saying(alone.id, 'note', { entity_type: 'thread' }))
  assert.equal(own.data.root_chat_id, alone.chat_id)
  await assert.rejects(bob.call(createMessage, saying(alone.id, 'x', { entity_type: 'thread' })), {
    status: 403,
  })
})

test('many at once in one chat: every message has its own id, event and place, and one bad one hurts no other', async (t) => {
  const { alice, bob, bot, admin, office, attic, ctx } = await world(t)
  const writers = [alice, bob, bot]
  const calls = Array.from({ length: 90 }, (_, index) => {
    if (index % 30 === 7) return admin.call(createMessage, saying(office.id, 'refused'))
    if (index % 30 === 8) return alice.call(createMessage, saying(attic.id, 'refused'))
    return (writers[index % 3] as typeof alice).call(createMessage, saying(office.id, `m${index}`))
  })
  const results = await Promise.allSettled(calls)
  const sent = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.data] : []))
  const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.status] : []))
  assert.equal(sent.length, 84)
  assert.deepEqual(refused, [403, 403, 403, 403, 403, 403])
  assert.equal(new Set(sent.map(({ id }) => id)).size, 84)
  const events = await ctx.db.selectFrom('events').select(['id', 'payload']).orderBy('id').execute()
  const ids = events.map(({ payload }) => (payload as { message_id: number }).message_id)
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => a - b),
  )
  const chat = await ctx.db
    .selectFrom('chats')
    .select(['last_message_id', 'version'])
    .where('id', '=', office.id)
    .executeTakeFirstOrThrow()
  assert.equal(chat.last_message_id, Math.max(...ids))
})

test('inside the server a message is sent for somebody, within the caller’s own transaction', async (t) => {
  const { alice, bob, office, ctx } = await world(t)
  const actor = actingFor(alice.id, 'user', 'corporation')
  const message = await postMessage(ctx, actor, { entity_id: office.id, content: 'scheduled' })
  assert.equal(message.content, 'scheduled')
  const failing = ctx.db.transaction().execute(async (tx) => {
    await postMessage(ctx, actor, { entity_id: office.id, content: 'never' }, { tx })
    throw new Error('undone')
  })
  await assert.rejects(failing, /undone/)
  const { data } = await bob.call(listMessages, { query: { chat_id: office.id } })
  assert.deepEqual(
    data.map(({ content }) => content),
    ['scheduled'],
  )
})
