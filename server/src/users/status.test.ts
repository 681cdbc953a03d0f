import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  deleteOwnStatus,
  deleteUserStatus,
  getOwnStatus,
  getProfile,
  getUserStatus,
  setOwnStatus,
  setUserStatus,
} from '@parley/contract'
import { world } from '../testing/world.js'

const setting = (status: Record<string, unknown>) => ({ body: { status } as never })

test('without a status the answer is a bare null', async (t) => {
  const { alice, bob } = await world(t)
  assert.equal(await alice.call(getOwnStatus), null)
  assert.equal(await alice.call(getUserStatus, { params: { user_id: bob.id } }), null)
})

test('a status is set, changed in part, seen by others and removed', async (t) => {
  const { alice, bob, events } = await world(t)
  const { data } = await alice.call(setOwnStatus, setting({ emoji: '🏝️', title: 'Holiday', is_away: true }))
  assert.deepEqual(data, {
    emoji: '🏝️',
    title: 'Holiday',
    expires_at: null,
    is_away: true,
    away_message: null,
  })
  const changed = await alice.call(setOwnStatus, setting({ away_message: 'Back on Monday' }))
  assert.deepEqual(changed.data, { ...data, away_message: { text: 'Back on Monday' } })
  assert.deepEqual(await bob.call(getUserStatus, { params: { user_id: alice.id } }), changed)
  assert.deepEqual((await alice.call(getProfile)).data.user_status, changed.data)
  // What was read can be sent back.
  assert.deepEqual(await alice.call(setOwnStatus, setting(changed.data)), changed)
  await alice.call(deleteOwnStatus)
  await alice.call(deleteOwnStatus)
  assert.equal(await alice.call(getOwnStatus), null)
  assert.deepEqual(
    (await events()).map(({ type, payload }) => [type, payload.user_id]),
    Array(3).fill(['user.status_changed', alice.id]),
  )
})

test('a first status needs emoji and title', async (t) => {
  const { alice } = await world(t)
  await assert.rejects(alice.call(setOwnStatus, setting({ is_away: true })), ({ status, errors }) => {
    assert.equal(status, 422)
    assert.deepEqual(
      errors.map(({ code, key }: { code: string; key: string }) => [code, key]),
      [
        ['blank', 'emoji'],
        ['blank', 'title'],
      ],
    )
    return true
  })
  await assert.rejects(alice.call(setOwnStatus, { body: {} } as never), { status: 400, code: 'required' })
})

test('the emoji is exactly one', async (t) => {
  const { alice } = await world(t)
  for (const emoji of ['🔥', '👩🏽‍💻', '❤️', '❤', '🇫🇮', '1️⃣', '☕'])
    await alice.call(setOwnStatus, setting({ emoji, title: 'x' }))
  for (const emoji of ['a', '🔥🔥', '🔥 ', 'fire', '1', ':)', '🇫'])
    await assert.rejects(alice.call(setOwnStatus, setting({ emoji, title: 'x' })), {
      status: 422,
      code: 'wrong_emoji',
    })
})

test('title and away text have their lengths, and the end lies ahead', async (t) => {
  const { alice, clock } = await world(t)
  const base = { emoji: '🔥', title: 'x' }
  const past = new Date(clock.now() - 1000).toISOString()
  await assert.rejects(alice.call(setOwnStatus, setting({ ...base, title: 'x'.repeat(51) })), {
    status: 422,
    code: 'too_long',
  })
  await assert.rejects(alice.call(setOwnStatus, setting({ ...base, away_message: 'x'.repeat(1025) })), {
    status: 422,
    code: 'too_long',
  })
  for (const expires_at of [past, 'tomorrow'])
    await assert.rejects(alice.call(setOwnStatus, setting({ ...base, expires_at })), {
      status: 422,
      code: 'invalid',
    })
})

test('a status is gone the moment it expires, unless it was prolonged', async (t) => {
  const { alice, bob, clock } = await world(t)
  const inMinutes = (minutes: number) => new Date(clock.now() + minutes * 60_000).toISOString()
  const expires_at = inMinutes(10)
  await alice.call(setOwnStatus, setting({ emoji: '🔥', title: 'Busy', is_away: true, expires_at }))
  const longer = inMinutes(20)
  assert.equal((await alice.call(setOwnStatus, setting({ expires_at: longer }))).data.title, 'Busy')
  clock.advance(15 * 60_000)
  assert.equal((await alice.call(getOwnStatus))?.data.expires_at, longer)
  clock.advance(5 * 60_000)
  assert.equal(await bob.call(getUserStatus, { params: { user_id: alice.id } }), null)
  assert.equal((await alice.call(getProfile)).data.user_status, null)
  await assert.rejects(alice.call(setOwnStatus, setting({ title: 'Still busy' })), {
    status: 422,
    code: 'blank',
  })
})

test('owner and admins set the status of others; nobody else does, bots least of all', async (t) => {
  const { admin, alice, bob, bot, as } = await world(t)
  const params = { user_id: bob.id }
  const input = { params, ...setting({ emoji: '🔥', title: 'Out' }) }
  await admin.call(setUserStatus, input)
  assert.equal((await bob.call(getOwnStatus))?.data.title, 'Out')
  for (const person of [alice, bot]) {
    const token = await as(person.id, { scopes: ['user_status:write'] })
    await assert.rejects(token.call(setUserStatus, input), { status: 403, code: 'role_forbidden' })
    await assert.rejects(token.call(deleteUserStatus, { params }), { status: 403, code: 'role_forbidden' })
  }
  await admin.call(deleteUserStatus, { params })
  assert.equal(await bob.call(getOwnStatus), null)
  const nobody = { user_id: 999_999 }
  await assert.rejects(admin.call(setUserStatus, { ...input, params: nobody }), { status: 404 })
  await assert.rejects(admin.call(deleteUserStatus, { params: nobody }), { status: 404 })
  await assert.rejects(admin.call(getUserStatus, { params: nobody }), { status: 404 })
})

test('a bot has a status of its own', async (t) => {
  const { bot } = await world(t)
  const { data } = await bot.call(setOwnStatus, setting({ emoji: '🤖', title: 'Working' }))
  assert.equal(data.emoji, '🤖')
})
