import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChat, getChat, getChatCard, updateChat } from '@parley/contract'
import { openPersonalChat } from '../chats/open-personal.js'
import { at, audited, lines } from '../chats/testing-stage.js'
import { transaction } from '../platform/db/transaction.js'
import { type Person, world } from '../testing/world.js'

test('a rename is told in the chat, to listeners and in the log, and once only', async (t) => {
  const stage = await world(t)
  const { alice, bob, office, events } = stage
  const change = (someone: Person, body: object) =>
    someone.call(updateChat, { ...at(office.id), body: { chat: body } })

  const { data } = await alice.call(updateChat, {
    ...at(office.id),
    body: { chat: { name: 'HQ', public: true } },
  })
  assert.deepEqual([data.name, data.public], ['HQ', true])
  await change(bob, { name: 'HQ', public: true })
  await change(bob, {})
  assert.deepEqual(await lines(stage, office.id), [
    'Alice renamed the chat to "HQ"',
    'Alice made the chat open',
  ])
  const told = (await events()).filter(({ type }) => type === 'chat.updated')
  assert.equal(told.length, 1)
  const log = await audited(stage, 'chat_renamed', 'chat_permission_changed')
  assert.deepEqual(
    log.map(({ details }) => details),
    [{ old_name: 'office', new_name: 'HQ' }, { public_access: true }],
  )
})

test('a chat is described when it is made and later, and blanks clear it', async (t) => {
  const { alice, office, events } = await world(t)
  const body = { chat: { name: 'Plans', description: ' What comes next. ' } }
  const { data: made } = await alice.call(createChat, { body })
  assert.equal(made.description, 'What comes next.')
  const describe = async (description: string | null) =>
    (await alice.call(updateChat, { ...at(office.id), body: { chat: { description } } })).data.description
  assert.equal(await describe('Everything of the office'), 'Everything of the office')
  assert.equal(await describe('Everything of the office'), 'Everything of the office')
  assert.equal((await alice.call(getChat, at(office.id))).data.description, 'Everything of the office')
  assert.equal(await describe('  '), null)
  assert.equal((await events()).filter(({ type }) => type === 'chat.updated').length, 2)
  await assert.rejects(describe('x'.repeat(1025)), { status: 422, code: 'too_long' })
  const ofCard = async () => (await alice.call(getChatCard, at(office.id))).data.description
  assert.equal(await ofCard(), null)
  await describe('y'.repeat(1024))
  assert.equal(await ofCard(), 'y'.repeat(200))
})

test('a closed chat is changed by those who manage it, an open one by every employee', async (t) => {
  const { ctx, alice, bob, admin, mia, bot, office, news, attic } = await world(t)
  const rename = (someone: Person, id: number) =>
    someone.call(updateChat, { ...at(id), body: { chat: { name: `by ${someone.id}` } } })
  for (const someone of [bob, mia, bot, admin])
    await assert.rejects(rename(someone, office.id), { status: 403, code: 'not_authorized' })
  for (const someone of [bob, admin, bot]) await rename(someone, news.id)
  await assert.rejects(rename(mia, news.id), { status: 403, code: 'not_authorized' })
  await assert.rejects(rename(alice, attic.id), { status: 403, code: 'not_authorized' })
  const personal = await transaction(ctx, (tx) => openPersonalChat(tx, ctx, alice.id, bob.id))
  await assert.rejects(rename(alice, personal), { status: 403, code: 'not_authorized' })
  await assert.rejects(rename(alice, 9_999), { status: 404, code: 'not_found' })
  const blank = alice.call(updateChat, { ...at(office.id), body: { chat: { name: ' ' } } })
  await assert.rejects(blank, { status: 422, code: 'blank' })
})
