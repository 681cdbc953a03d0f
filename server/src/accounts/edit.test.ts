import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteUser, getProfile, getUser, updateUser } from '@parley/contract'
import { world } from '../testing/world.js'
import { audit } from '../users/testing-users.js'

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

test('admins set the time zone of a person; an empty one is that of the workspace', async (t) => {
  const { admin, bob } = await world(t)
  const zone = (time_zone: string) =>
    admin.call(updateUser, { params: { id: bob.id }, body: { user: { time_zone } } })
  assert.equal((await zone('Asia/Tokyo')).data.time_zone, 'Asia/Tokyo')
  await assert.rejects(zone('Mars/Base'), { status: 422, code: 'invalid' })
  assert.equal((await zone('')).data.time_zone, null)
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
  const toOwner = (message: RegExp) => ({ ...protects, message })
  const deleting = owner.call(deleteUser, { params: { id: owner.id } })
  await assert.rejects(deleting, toOwner(/the owner: a workspace always has its owner/))
  for (const role of ['user', 'multi_guest', 'guest'])
    await assert.rejects(edit(owner, { role }), toOwner(/the owner: the owner keeps this role/))
  const suspending = { status: 422, code: 'self_update', message: /the owner is never suspended/ }
  await assert.rejects(edit(owner, { suspended: true }), suspending)
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
