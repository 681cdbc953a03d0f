import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUser } from '@parley/contract'
import { world } from '../testing/world.js'
import { audit, inviting } from '../users/testing-users.js'

test('an invited person has a card at once, and the workspace hears of it', async (t) => {
  const { admin, ctx, events } = await world(t)
  const { data } = await admin.call(
    createUser,
    inviting({
      email: ' Nora@Example.org ',
      first_name: 'Nora',
      last_name: '',
      phone_number: '+1 555',
      department: 'Sales',
      title: 'Lead',
    }),
  )
  assert.equal(data.email, 'Nora@Example.org')
  assert.equal(data.first_name, 'Nora')
  assert.equal(data.last_name, null)
  assert.equal(data.nickname, 'Nora')
  assert.equal(data.role, 'user')
  assert.equal(data.invite_status, 'sent')
  assert.equal(data.inviter_id, admin.id)
  assert.equal(data.last_activity_at, null)
  assert.deepEqual(data.list_tags, [])

  const [event] = await events()
  assert.equal(event?.type, 'company_members.invited')
  assert.deepEqual(event?.payload.user_ids, [data.id])
  assert.deepEqual(await audit(ctx, 'user_created'), [
    { actor_id: admin.id, entity_type: 'User', entity_id: String(data.id), details: {} },
  ])
})

test('only owner and admins invite, and never a bot', async (t) => {
  const { alice, mia, bot, as } = await world(t)
  for (const person of [alice, mia, bot]) {
    const token = await as(person.id, { scopes: ['users:create'] })
    const refused = token.call(createUser, inviting({ email: 'x@example.org' }))
    await assert.rejects(refused, { status: 403, code: 'role_forbidden' })
  }
})

test('an invitation needs a proper mail that nobody has', async (t) => {
  const { admin } = await world(t)
  const invite = (email: unknown) => admin.call(createUser, inviting({ email: email as string }))
  await assert.rejects(invite(undefined), { status: 422, code: 'blank' })
  await assert.rejects(invite('  '), { status: 422, code: 'blank' })
  await assert.rejects(invite('not a mail'), { status: 400, code: 'invalid' })
  await assert.rejects(invite('a@b,c@d'), { status: 400, code: 'invalid' })
  await assert.rejects(invite(`${'a'.repeat(250)}@b.org`), { status: 422, code: 'too_long' })
  await assert.rejects(invite('ALICE@example.org'), ({ status, code, errors }) => {
    assert.deepEqual([status, code, errors[0].key], [409, 'already_exists', 'email'])
    return true
  })
  await assert.rejects(admin.call(createUser, { body: {} } as never), { status: 400, code: 'required' })
})

test('two invitations of one mail at once make one person', async (t) => {
  const { admin, ctx } = await world(t)
  const both = await Promise.allSettled([
    admin.call(createUser, inviting({ email: 'twin@example.org' })),
    admin.call(createUser, inviting({ email: 'Twin@example.org' })),
  ])
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const { length } = await ctx.db
    .selectFrom('users')
    .selectAll()
    .where('nickname', 'ilike', 'twin%')
    .execute()
  assert.equal(length, 1)
})

test('a nickname that is taken gets more characters, and reserved words are refused', async (t) => {
  const { admin } = await world(t)
  const taken = await admin.call(createUser, inviting({ email: 'a1@example.org', nickname: 'Alice' }))
  assert.match(taken.data.nickname, /^Alice_[0-9a-f]{6}$/)
  const built = await admin.call(createUser, inviting({ email: 'bob@elsewhere.org' }))
  assert.match(built.data.nickname, /^bob_[0-9a-f]{6}$/)
  const word = await admin.call(createUser, inviting({ email: 'here@example.org' }))
  assert.match(word.data.nickname, /^here_[0-9a-f]{6}$/)
  for (const nickname of ['all', 'HERE'])
    await assert.rejects(admin.call(createUser, inviting({ email: 'r@example.org', nickname })), {
      status: 422,
      code: 'use_of_system_words',
    })
})

test('an unknown role is refused at creation', async (t) => {
  const { admin } = await world(t)
  for (const role of ['owner', 'king'])
    await assert.rejects(admin.call(createUser, inviting({ email: 'k@example.org', role })), {
      status: 400,
      code: 'inclusion',
    })
})

test('tags come by name, and what is no list of names is left aside', async (t) => {
  const { admin } = await world(t)
  const tagged = await admin.call(createUser, inviting({ email: 't@example.org', list_tags: ['Design'] }))
  assert.deepEqual(tagged.data.list_tags, ['Design'])
  for (const list_tags of ['Design', [''], [7], { a: 1 }]) {
    const email = `i${Math.random()}@example.org`
    const { headers, body } = await admin.send(createUser, inviting({ email, list_tags }))
    assert.deepEqual(body.data.list_tags, [])
    assert.equal(headers.get('parley-ignored'), 'list_tags')
  }
})

test('a new person joins the chats that the inviter may add to, or none at all', async (t) => {
  const { admin, ctx, office, attic, news, events } = await world(t)
  const closed = admin.call(createUser, inviting({ email: 'c@example.org', chat_ids: [news.id, office.id] }))
  await assert.rejects(closed, ({ status, code, errors }) => {
    assert.deepEqual(
      [status, code, errors[0].key, errors[0].value],
      [422, 'not_found', 'chat_ids', String(office.id)],
    )
    return true
  })
  for (const chat_ids of [[attic.id], [999_999]])
    await assert.rejects(admin.call(createUser, inviting({ email: 'c@example.org', chat_ids })), {
      status: 422,
      code: 'not_found',
    })
  assert.deepEqual(await events(), [])

  const { data } = await admin.call(createUser, inviting({ email: 'c@example.org', chat_ids: [news.id] }))
  const members = await ctx.db.selectFrom('chat_members').selectAll().where('user_id', '=', data.id).execute()
  assert.deepEqual(
    members.map(({ chat_id, role, manual }) => ({ chat_id, role, manual })),
    [{ chat_id: news.id, role: 'member', manual: true }],
  )
  const types = (await events()).map(({ type }) => type)
  assert.deepEqual(types, ['chat_members.added', 'company_members.invited'])
  assert.deepEqual(await audit(ctx, 'user_chat_join'), [
    {
      actor_id: data.id,
      entity_type: 'Chat',
      entity_id: String(news.id),
      details: { inviter_id: admin.id },
    },
  ])
})

test('a guest has exactly one live chat, and no tags', async (t) => {
  const { admin, news, attic, office } = await world(t)
  const invite = (chat_ids?: number[]) =>
    admin.call(
      createUser,
      inviting({ email: 'guest@example.org', role: 'guest', chat_ids, list_tags: ['Design'] }),
    )
  for (const chat_ids of [undefined, [], [attic.id], [office.id], [news.id, office.id], [999_999]])
    await assert.rejects(invite(chat_ids), ({ status, errors }) => {
      assert.deepEqual([status, errors[0].key], [400, 'chat_ids'])
      return true
    })
  const { data } = await invite([news.id])
  assert.equal(data.role, 'guest')
  assert.deepEqual(data.list_tags, [])
})

test('a repeated invitation with one key makes one person', async (t) => {
  const { admin } = await world(t)
  const input = { ...inviting({ email: 'once@example.org' }), idempotency_key: 'k1' }
  const [first, second] = [await admin.call(createUser, input), await admin.call(createUser, input)]
  assert.deepEqual(first, second)
})
