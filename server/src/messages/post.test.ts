import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, deleteMessage, getMessage, listAuditEvents, listMessages } from '@parley/contract'
import { actingFor } from '../platform/actor.js'
import { world } from '../testing/world.js'
import { postMessage } from './post.js'
import { saying } from './testing-saying.js'

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

  const answering = {
    ...saying(office.id, 'once', { parent_message_id: data.id }),
    idempotency_key: 'k1',
  }
  const plain = await bob.call(createMessage, answering)
  assert.deepEqual(await bob.call(createMessage, answering), plain)
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
  const [hot, { client_key, ...rest }] = [told[0]?.payload ?? {}, told[1]?.payload ?? {}]
  assert.equal(client_key, 'k1')
  assert.deepEqual(Object.keys(rest).sort(), Object.keys(hot).sort())
})

test('what a message moves: the chat, the pointer of its author, the event and the audit log', async (t) => {
  const { owner, alice, bob, office, ctx, clock } = await world(t)
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
  const { data: audit } = await owner.call(listAuditEvents, { query: {} })
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
        actor_id: String(alice.id),
        entity_type: 'Message',
        entity_id: String(data.id),
      },
    ],
  )
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
  const address = (url: string) =>
    bot.call(createMessage, saying(office.id, 'open?', { buttons: [[{ text: 'Open', url }]] }))
  for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc', 'example.org', ''])
    await assert.rejects(address(url), { status: 422, code: 'invalid' }, url)
  for (const url of [
    ' https://x.org',
    'ht\ntps://x.org',
    'java\tscript:alert(1)',
    '\u0001https://x.org',
    'https:x',
  ])
    await assert.rejects(address(url), { status: 422, code: 'invalid' }, JSON.stringify(url))
  for (const url of ['http://x.org', 'HTTPS://x.org/a', 'mailto:a@x.org', 'tel:+47']) await address(url)
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
