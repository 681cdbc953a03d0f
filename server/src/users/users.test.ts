import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUser, deleteUser, getProfile, getUser, listUsers, updateUser } from '@parley/contract'
import { openPersonalChat } from '../chats/personal.js'
import { transaction } from '../platform/db/transaction.js'
import { world } from '../testing/world.js'

const inviting = (user: Record<string, unknown> & { email: string }, skip_email_notify = true) => ({
  body: { user, skip_email_notify } as never,
})

async function audit(ctx: Awaited<ReturnType<typeof world>>['ctx'], event_key: string) {
  const rows = await ctx.db
    .selectFrom('audit_events')
    .selectAll()
    .where('event_key', '=', event_key)
    .orderBy('sequence')
    .execute()
  return rows.map(({ actor_id, entity_type, entity_id, details }) => ({
    actor_id,
    entity_type,
    entity_id,
    details,
  }))
}

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

test('licences end the growth of active employees, not of guests and suspended people', async (t) => {
  const { admin, ctx, news, person } = await world(t)
  const spare = await person({ nickname: 'spare', suspended: true })
  await ctx.db.updateTable('workspace').set({ licenses: 6 }).execute()
  await admin.call(createUser, inviting({ email: 'sixth@example.org' }))
  const over = { status: 422, code: 'licenses_limit' }
  await assert.rejects(admin.call(createUser, inviting({ email: 'seventh@example.org' })), over)
  await admin.call(createUser, inviting({ email: 'asleep@example.org', suspended: true }))
  await admin.call(createUser, inviting({ email: 'g@example.org', role: 'guest', chat_ids: [news.id] }))
  const wake = admin.call(updateUser, { params: { id: spare.id }, body: { user: { suspended: false } } })
  await assert.rejects(wake, over)
  const { data } = await admin.call(getUser, { params: { id: spare.id } })
  assert.equal(data.suspended, true)
})

test('the last licence is taken once, however many ask for it at once', async (t) => {
  const { admin, ctx } = await world(t)
  await ctx.db.updateTable('workspace').set({ licenses: 6 }).execute()
  const asked = [1, 2, 3, 4].map((n) => admin.call(createUser, inviting({ email: `n${n}@example.org` })))
  const states = (await Promise.allSettled(asked)).map(({ status }) => status).sort()
  assert.deepEqual(states, ['fulfilled', 'rejected', 'rejected', 'rejected'])
})

test('an edit changes what was passed and nothing else', async (t) => {
  const { admin, bob, ctx, events } = await world(t)
  const before = (await admin.call(getUser, { params: { id: bob.id } })).data
  const user = { last_name: 'Brown', title: 'Cook' }
  const { data } = await admin.call(updateUser, { params: { id: bob.id }, body: { user } })
  assert.deepEqual(data, { ...before, ...user })
  assert.deepEqual(await audit(ctx, 'user_updated'), [
    {
      actor_id: admin.id,
      entity_type: 'User',
      entity_id: String(bob.id),
      details: { changed_attrs: ['last_name', 'title'] },
    },
  ])
  assert.deepEqual(
    (await events()).map(({ type }) => type),
    ['company_members.updated'],
  )
  await admin.call(updateUser, { params: { id: bob.id }, body: { user } })
  assert.equal((await events()).length, 1)
})

test('mail and nickname stay unique, and proper', async (t) => {
  const { admin, bob } = await world(t)
  const edit = (user: Record<string, unknown>) =>
    admin.call(updateUser, { params: { id: bob.id }, body: { user } })
  await assert.rejects(edit({ email: 'Alice@example.org' }), ({ status, errors }) => {
    assert.deepEqual([status, errors[0].code, errors[0].key], [409, 'already_exists', 'email'])
    return true
  })
  await assert.rejects(edit({ nickname: 'ALICE' }), ({ status, errors }) => {
    assert.deepEqual([status, errors[0].code, errors[0].key], [409, 'already_exists', 'nickname'])
    return true
  })
  await assert.rejects(edit({ email: 'nonsense' }), { status: 400, code: 'invalid' })
  await assert.rejects(edit({ nickname: 'all' }), { status: 422, code: 'use_of_system_words' })
  await assert.rejects(edit({ nickname: 'two words' }), { status: 422, code: 'invalid' })
  await assert.rejects(edit({ first_name: ' ' }), { status: 422, code: 'blank' })
  await assert.rejects(edit({ department: 'x'.repeat(256) }), { status: 422, code: 'too_long' })
  await edit({ nickname: 'BOB', email: 'BOB@example.org' })
})

test('only the owner edits the owner, and stays owner and active', async (t) => {
  const { admin, owner } = await world(t)
  const protects = { status: 403, code: 'owner_protected' }
  const edit = (by: typeof owner, user: Record<string, unknown>) =>
    by.call(updateUser, { params: { id: owner.id }, body: { user } })
  await assert.rejects(edit(admin, { title: 'Boss' }), protects)
  await assert.rejects(admin.call(deleteUser, { params: { id: owner.id } }), protects)
  await assert.rejects(owner.call(deleteUser, { params: { id: owner.id } }), protects)
  for (const role of ['user', 'multi_guest', 'guest']) await assert.rejects(edit(owner, { role }), protects)
  await assert.rejects(edit(owner, { suspended: true }), { status: 422, code: 'self_update' })
  const { data } = await edit(owner, { title: 'Boss', role: 'admin', suspended: false })
  assert.equal(data.title, 'Boss')
  assert.equal(data.role, 'admin')
})

test('roles change among employees; a guest is not made of one, and unknown words are skipped', async (t) => {
  const { admin, bob, ctx } = await world(t)
  const edit = (user: Record<string, unknown>) =>
    admin.call(updateUser, { params: { id: bob.id }, body: { user } })
  await assert.rejects(edit({ role: 'guest' }), { status: 403, code: 'not_authorized' })
  for (const role of ['owner', 'king', 7]) assert.equal((await edit({ role })).data.role, 'user')
  assert.equal((await edit({ role: 'multi_guest' })).data.role, 'multi_guest')
  assert.equal((await edit({ role: 'admin' })).data.role, 'admin')
  const changes = await audit(ctx, 'user_role_changed')
  assert.deepEqual(
    changes.map(({ details }) => details),
    [
      { new_company_role: 'multi_guest', previous_company_role: 'user', initiator_id: admin.id },
      { new_company_role: 'admin', previous_company_role: 'multi_guest', initiator_id: admin.id },
    ],
  )
})

test('nobody suspends or deletes himself', async (t) => {
  const { admin } = await world(t)
  const suspend = admin.call(updateUser, { params: { id: admin.id }, body: { user: { suspended: true } } })
  await assert.rejects(suspend, { status: 422, code: 'self_update' })
  await assert.rejects(admin.call(deleteUser, { params: { id: admin.id } }), {
    status: 403,
    code: 'self_update',
  })
})

test('edits and deletions are for owner and admins', async (t) => {
  const { alice, bot, bob, as } = await world(t)
  for (const person of [alice, bot]) {
    const token = await as(person.id, { scopes: ['users:update', 'users:delete'] })
    const params = { id: bob.id }
    const forbidden = { status: 403, code: 'role_forbidden' }
    await assert.rejects(token.call(updateUser, { params, body: { user: {} } }), forbidden)
    await assert.rejects(token.call(deleteUser, { params }), forbidden)
  }
  const poor = await as(alice.id, { scopes: ['users:read'] })
  await assert.rejects(poor.call(deleteUser, { params: { id: bob.id } }), {
    status: 403,
    code: 'insufficient_scope',
  })
})

test('tags are replaced whole, cleared by an empty list, and kept by anything that is none', async (t) => {
  const { admin, bob, events } = await world(t)
  const edit = (list_tags: unknown) =>
    admin.send(updateUser, { params: { id: bob.id }, body: { user: { list_tags } as never } })
  assert.deepEqual((await edit(['One', 'Two'])).body.data.list_tags, ['One', 'Two'])
  assert.deepEqual((await edit(['two', 'Three'])).body.data.list_tags, ['Two', 'Three'])
  const kept = await edit('none')
  assert.deepEqual(kept.body.data.list_tags, ['Two', 'Three'])
  assert.equal(kept.headers.get('parley-ignored'), 'list_tags')
  assert.deepEqual((await edit([])).body.data.list_tags, [])
  const updates = (await events()).filter(({ type }) => type === 'company_members.updated')
  assert.equal(updates.length, 3)
})

test('the nickname of a bot ends in _bot, is its own, and is looked at only when it changes', async (t) => {
  const { admin, bot, ctx } = await world(t)
  const edit = (user: Record<string, unknown>) =>
    admin.call(updateUser, { params: { id: bot.id }, body: { user } })
  const refused = (code: string) => (error: { status: number; errors: { code: string; key: string }[] }) => {
    assert.deepEqual([error.status, error.errors[0]?.code, error.errors[0]?.key], [422, code, 'nickname'])
    return true
  }
  await ctx.db.updateTable('users').set({ nickname: 'other_bot' }).where('nickname', '=', 'bob').execute()
  await assert.rejects(edit({ nickname: 'helper' }), refused('invalid'))
  await assert.rejects(edit({ nickname: 'OTHER_bot' }), refused('already_exists'))
  assert.equal((await edit({ nickname: 'better_bot' })).data.nickname, 'better_bot')
  await ctx.db.updateTable('users').set({ nickname: 'old name' }).where('id', '=', bot.id).execute()
  assert.equal((await edit({ nickname: 'old name', first_name: 'Bertie' })).data.first_name, 'Bertie')
})

test('a bot of one chat takes no tag that it lacks', async (t) => {
  const { admin, bot, ctx } = await world(t)
  const edit = (user: Record<string, unknown>) =>
    admin.call(updateUser, { params: { id: bot.id }, body: { user } })
  await edit({ list_tags: ['Robots'] })
  await ctx.db.updateTable('bots').set({ single_chat: true }).where('user_id', '=', bot.id).execute()
  await edit({ list_tags: ['robots'] })
  await assert.rejects(edit({ list_tags: ['Robots', 'More'], title: 'x' }), ({ status, errors }) => {
    assert.deepEqual(
      [status, errors[0].code, errors[0].key],
      [422, 'single_chat_bot_tag_denied', 'group_tags'],
    )
    return true
  })
  const { data } = await admin.call(getUser, { params: { id: bot.id } })
  assert.deepEqual([data.title, data.list_tags], [null, ['Robots']])
})

test('suspension closes every token at the next request, and lifting it opens them again', async (t) => {
  const { admin, alice, as, events } = await world(t)
  const session = await as(alice.id, { session: true })
  await alice.call(getProfile)
  const suspend = (suspended: boolean) =>
    admin.call(updateUser, { params: { id: alice.id }, body: { user: { suspended } } })
  assert.equal((await suspend(true)).data.suspended, true)
  for (const token of [alice, session])
    await assert.rejects(token.call(getProfile), { status: 403, code: 'access_denied' })
  const seen = await admin.call(getUser, { params: { id: alice.id } })
  assert.equal(seen.data.suspended, true)
  await suspend(false)
  await alice.call(getProfile)
  assert.deepEqual(
    (await events()).map(({ type }) => type),
    ['company_members.suspended', 'company_members.activated'],
  )
})

test('a lowered role closes its scopes at the next request, and a restored one opens them', async (t) => {
  const { owner, admin, bob } = await world(t)
  const read = () => admin.call(updateUser, { params: { id: bob.id }, body: { user: {} } })
  await read()
  const role = (role: string) =>
    owner.call(updateUser, { params: { id: admin.id }, body: { user: { role } } })
  await role('user')
  await assert.rejects(read(), { status: 403, code: 'role_forbidden' })
  await admin.call(getProfile)
  await role('admin')
  await read()
})

test('who becomes a guest is refused everywhere', async (t) => {
  const { alice, ctx } = await world(t)
  await alice.call(getProfile)
  await ctx.db.updateTable('users').set({ role: 'guest' }).where('id', '=', alice.id).execute()
  await assert.rejects(alice.call(getProfile), { status: 403, code: 'access_denied' })
})

test('a deleted person is gone from chats, tags and lists, and his tokens are dead', async (t) => {
  const { admin, bob, alice, ctx, office, events } = await world(t)
  await admin.call(updateUser, { params: { id: bob.id }, body: { user: { list_tags: ['Team'] } } })
  await bob.call(getProfile)
  await admin.call(deleteUser, { params: { id: bob.id } })

  await assert.rejects(bob.call(getProfile), { status: 401, code: 'invalid_token' })
  await assert.rejects(alice.call(getUser, { params: { id: bob.id } }), { status: 404, code: 'not_found' })
  await assert.rejects(admin.call(deleteUser, { params: { id: bob.id } }), { status: 404, code: 'not_found' })
  const { data } = await alice.call(listUsers)
  assert.ok(!data.some(({ id }) => id === bob.id))
  const left = await ctx.db.selectFrom('chat_members').selectAll().where('user_id', '=', bob.id).execute()
  assert.deepEqual(left, [])
  const tags = await ctx.db.selectFrom('user_tags').selectAll().where('user_id', '=', bob.id).execute()
  assert.deepEqual(tags, [])
  const told = await events()
  assert.ok(told.some(({ type, chat_id }) => type === 'chat_members.removed' && chat_id === office.id))
  assert.deepEqual(told.at(-1)?.type, 'company_members.deleted')
  assert.deepEqual(await audit(ctx, 'user_deleted'), [
    { actor_id: admin.id, entity_type: 'User', entity_id: String(bob.id), details: {} },
  ])
  const leaves = await audit(ctx, 'user_chat_leave')
  assert.deepEqual(
    leaves.find(({ entity_id }) => entity_id === String(office.id)),
    {
      actor_id: bob.id,
      entity_type: 'Chat',
      entity_id: String(office.id),
      details: { initiator_id: admin.id },
    },
  )
})

test('personal chats of a deleted person stay', async (t) => {
  const { admin, alice, bob, ctx } = await world(t)
  const chatId = await transaction(ctx, (tx) => openPersonalChat(tx, ctx, alice.id, bob.id))
  await admin.call(deleteUser, { params: { id: bob.id } })
  const rows = await ctx.db.selectFrom('chat_members').selectAll().where('chat_id', '=', chatId).execute()
  assert.equal(rows.length, 2)
})

test('the mail and nickname of a deleted person make a new, different one', async (t) => {
  const { admin, bob } = await world(t)
  await admin.call(deleteUser, { params: { id: bob.id } })
  const { data } = await admin.call(createUser, inviting({ email: 'bob@example.org', nickname: 'bob' }))
  assert.notEqual(data.id, bob.id)
  assert.equal(data.nickname, 'bob')
})

test('whom a deleted person invited has no inviter', async (t) => {
  const { owner, admin } = await world(t)
  const { data } = await admin.call(createUser, inviting({ email: 'n@example.org' }))
  await owner.call(deleteUser, { params: { id: admin.id } })
  const card = await owner.call(getUser, { params: { id: data.id } })
  assert.equal(card.data.inviter_id, null)
})

test('bots are not deleted as people', async (t) => {
  const { admin, bot } = await world(t)
  await assert.rejects(admin.call(deleteUser, { params: { id: bot.id } }), {
    status: 403,
    code: 'not_authorized',
  })
})

test('the list holds everybody but the deleted, by id, page by page', async (t) => {
  const { alice, person, bot, admin } = await world(t)
  const asleep = await person({ nickname: 'asleep', suspended: true })
  const first = await alice.call(listUsers, { query: { limit: 4 } })
  const paginate = (first.meta as { paginate: { next_page: string; has_next: boolean } }).paginate
  assert.equal(paginate.has_next, true)
  const second = await alice.call(listUsers, { query: { limit: 4, cursor: paginate.next_page } })
  const ids = [...first.data, ...second.data].map(({ id }) => id)
  assert.deepEqual(
    ids,
    [...ids].sort((a, b) => a - b),
  )
  assert.equal(ids.length, 7)
  assert.equal(second.data.at(-1)?.id, asleep.id)
  assert.equal([...first.data, ...second.data].find(({ id }) => id === bot.id)?.bot, true)
  const paged = await admin.call(listUsers, { query: { page: 2, per: 5 } })
  assert.equal(paged.data.length, 2)
  await assert.rejects(alice.call(listUsers, { query: { cursor: 'nonsense' } }), {
    status: 400,
    code: 'invalid',
  })
  await assert.rejects(alice.call(listUsers, { query: { limit: 0 } }), { status: 400, code: 'invalid' })
})

test('a query finds people by part of name, nickname, mail and phone, and no bots', async (t) => {
  const { alice, admin, bob, bot } = await world(t)
  const user = { first_name: 'Robert', last_name: 'O_Neil', phone_number: '+49 171' }
  await admin.call(updateUser, { params: { id: bob.id }, body: { user } })
  const find = async (query: string) => {
    const { data, meta } = await alice.call(listUsers, { query: { query } })
    assert.equal((meta as { total: number }).total, data.length)
    assert.deepEqual(Object.keys(meta.paginate), ['next_page'])
    return data.map(({ id }) => id)
  }
  for (const query of ['ober', 'o_ne', 'BOB', 'bob@exa', '49 17', 'robert o'])
    assert.deepEqual(await find(query), [bob.id], query)
  assert.deepEqual(await find('o%e'), [])
  assert.deepEqual(await find('helper_bot'), [])
  assert.equal((await alice.call(getUser, { params: { id: bot.id } })).data.bot, true)
})

test('a search of people ends with an empty page that repeats its cursor', async (t) => {
  const { alice } = await world(t)
  const all = await alice.call(listUsers, { query: { query: 'example.org', limit: 3 } })
  assert.equal((all.meta as { total: number }).total, 4)
  const second = await alice.call(listUsers, {
    query: { query: 'example.org', limit: 3, cursor: all.meta.paginate.next_page },
  })
  assert.equal(second.data.length, 1)
  const cursor = second.meta.paginate.next_page
  const third = await alice.call(listUsers, { query: { query: 'example.org', cursor } })
  assert.deepEqual(third.data, [])
  assert.equal(third.meta.paginate.next_page, cursor)
})

test('ids that name nobody are 404, however odd', async (t) => {
  const { admin } = await world(t)
  for (const id of [0, -1, 999_999, 2 ** 40, 'x', '1e3'] as number[])
    await assert.rejects(admin.call(getUser, { params: { id } }), { status: 404, code: 'not_found' })
})

test('a repeated invitation with one key makes one person', async (t) => {
  const { admin } = await world(t)
  const input = { ...inviting({ email: 'once@example.org' }), idempotency_key: 'k1' }
  const [first, second] = [await admin.call(createUser, input), await admin.call(createUser, input)]
  assert.deepEqual(first, second)
})
