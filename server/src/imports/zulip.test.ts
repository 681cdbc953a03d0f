import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { zulipExport } from '@parley/imports/testing'
import { actingFor } from '../platform/actor.js'
import { world } from '../testing/world.js'
import {
  archiveOf,
  assertNothingNew,
  assertTold,
  bringInChecked,
  holdersOf,
  picturesOf,
  rights,
  roster,
} from './testing-import.js'
import { undoImport } from './undo.js'

test('a Zulip export with every trap comes in, topics as threads, and a second run writes nothing', async (t) => {
  const w = await world(t)
  const archive = await archiveOf(t, zulipExport(), 'zulip-export-acme')
  const done = await bringInChecked(w, archive)
  const iris = await w.ctx.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', 'iris10@example.org')
    .executeTakeFirstOrThrow()
  assert.deepEqual([iris.role, iris.nickname], ['admin', 'Iris.Lund'])
  const session = await w.as(iris.id, { session: true })
  const { data: chats } = await session.call(api.listChats, { query: { limit: 50 } })
  const general = chats.find(({ name }) => name === 'general') as api.Chat
  const { data: page } = await session.call(api.listMessages, { query: { chat_id: general.id, limit: 50 } })
  assert.deepEqual(page.map(({ content }) => content).reverse(), [
    'no topic, **bold** and @Olaf.Berg, @Olaf.Berg, @devs, @all',
    '**Lunch**\nfirst of #general > Lunch `@**Olaf Berg|11**`',
    '**Files**',
    'by nobody',
  ])
  const lunch = page.find(({ content }) => content.startsWith('**Lunch**')) as api.Message
  const { data: replies } = await session.call(api.listMessages, {
    query: { chat_id: lunch.thread?.chat_id as number },
  })
  assert.deepEqual(replies.map(({ content }) => content).reverse(), [
    '*eats 2020-09-13 12:00*',
    '> said\nanswer menu.txt',
    '**Guess**\nsun',
  ])
  assert.equal(replies[1]?.files[0]?.name, 'menu.txt')
  const personal = await w.ctx.db
    .selectFrom('chats')
    .selectAll()
    .where('kind', '=', 'personal')
    .where('messages_count', '=', 2)
    .execute()
  assert.equal(personal.length, 1, 'old and new messages of two people are one chat')
  const keys = await w.ctx.db.selectFrom('files').select('key').where('name', '=', 'menu.txt').execute()
  assert.equal(new Set(keys.map(({ key }) => key)).size, 1, 'a file of two messages is stored once')
  assert.deepEqual(await picturesOf(w), ['Iris.Lund 200 image/png 1', 'weather_bot 200 image/png 1'])
  assert.deepEqual(await holdersOf(w, archive, 'planted-secret'), [], 'no secret of the source is kept')
  assert.deepEqual(await roster(w), [
    'Did.Not.Agree user former',
    'Gus.Guest guest',
    'Iris.Lund admin',
    'Olaf.Berg user',
    'Olaf.Berg2 user suspended',
    'former.99 user former',
    'notification_bot bot',
    'weather_bot bot',
  ])
  assert.deepEqual(await rights(w), [
    ['general', 'conversation', true, 'Gus.Guest:member Iris.Lund:owner Olaf.Berg:member'],
    ['old', 'conversation', false, 'owner:owner'],
    ['', 'personal', false, 'Iris.Lund:admin Olaf.Berg:admin'],
    ['Iris Lund, Olaf Berg, Did Not Agree', 'conversation', false, 'Iris.Lund:owner Olaf.Berg:member'],
  ])
  await assertTold(w, done.id, [
    'is refused',
    'cannot be read',
    'is no emoji that exists here',
    'has a picture that cannot be read',
  ])
  await assertNothingNew(w, archive)

  const { image_key } = await w.ctx.db
    .selectFrom('users')
    .select('image_key')
    .where('nickname', '=', 'weather_bot')
    .executeTakeFirstOrThrow()
  await undoImport(w.ctx, actingFor(w.owner.id, 'owner', 'corporation'), done.id)
  await w.drain()
  assert.equal((await fetch(`${w.url}/avatars/${image_key}`)).status, 404, 'a picture goes with its bot')
})
