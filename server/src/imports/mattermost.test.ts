import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { mattermostExport } from '@parley/imports/testing'
import { sql } from 'kysely'
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

test('a Mattermost bulk export with every trap comes in, and a second run writes nothing', async (t) => {
  const w = await world(t)
  const archive = await archiveOf(t, mattermostExport())
  const done = await bringInChecked(w, archive)
  const ann = await w.ctx.db
    .selectFrom('users')
    .selectAll()
    .where('nickname', '=', 'ann')
    .executeTakeFirstOrThrow()
  assert.deepEqual([ann.role, ann.email, ann.title], ['admin', 'ann@example.org', 'Lead'])
  const roles = await w.ctx.db
    .selectFrom('users')
    .select(['nickname', 'role', 'suspended', 'bot', 'deleted_at'])
    .where('nickname', 'in', ['guest', 'gone', 'builder_bot', 'removed'])
    .orderBy('nickname')
    .execute()
  assert.deepEqual(
    roles.map(({ nickname, role, suspended, bot, deleted_at }) => [
      nickname,
      role,
      suspended,
      bot,
      deleted_at !== null,
    ]),
    [
      ['builder_bot', 'user', false, true, false],
      ['gone', 'user', true, false, false],
      ['guest', 'guest', false, false, false],
      ['removed', 'user', false, false, true],
    ],
  )
  const session = await w.as(ann.id, { session: true })
  const { data: chats } = await session.call(api.listChats, { query: { limit: 50 } })
  const names = chats.map(({ name }) => name)
  assert.ok(names.includes('Main: Town Square') && !names.includes('Town Square'), names.join())
  const square = chats.find(({ name }) => name === 'Main: Town Square') as api.Chat
  const { data: page } = await session.call(api.listMessages, { query: { chat_id: square.id, limit: 50 } })
  assert.deepEqual(page.map(({ content }) => content).reverse(), [
    'ben.k joined the channel.',
    'no time',
    '**Hi** @ben.k. see #Closed, ~nowhere and @all 👋\n> quoted\n```js\nlet a = 1\n```\n📎 passwd',
    'by nobody described',
    'one',
    'two',
    'build failed',
    '**Report**\n*all* good',
    '*waves*',
    'three',
    'four',
    'late root',
    'of the year 2500',
  ])
  const build = page.find(({ content }) => content === 'build failed')
  assert.equal(build?.display_name, 'CI')
  assert.notEqual(build?.user_id, ann.id, 'a webhook does not speak as the person it is named after')
  const nightly = page.find(({ content }) => content === 'two')
  assert.deepEqual(
    [nightly?.display_name, nightly?.display_avatar_url],
    ['Nightly', 'https://ci.example.org/n.png'],
  )
  const future = page.find(({ content }) => content === 'of the year 2500')
  assert.ok(Date.parse(future?.created_at as string) <= w.clock.now(), 'nothing stays the newest for years')
  assert.deepEqual(
    page.flatMap(({ files }) => files.map(({ name }) => name)),
    ['nöte.txt'],
  )
  const root = page.find(({ content }) => content === 'late root')
  const { data: replies } = await session.call(api.listMessages, {
    query: { chat_id: root?.thread?.chat_id as number },
  })
  assert.deepEqual(
    replies.map(({ content }) => content),
    ['before its root'],
  )
  const { rows: following } = await sql<{ nickname: string }>`
    select nickname from chat_members m join users u on u.id = m.user_id
    where chat_id = ${root?.thread?.chat_id} order by nickname`.execute(w.ctx.autocommit)
  assert.deepEqual(
    following.map(({ nickname }) => nickname),
    ['ann', 'ben.k', 'guest'],
    'those who wrote in a thread and those who followed it follow it here',
  )
  assert.deepEqual(await picturesOf(w), ['ann 200 image/png 1'])
  await assertTold(w, done.id, [
    'is a line that cannot be read',
    'has no time, and takes that of the message before it',
    'is of the unknown kind playbook',
    'is not in the archive',
    'is no member of the chat',
    'is there twice',
    'has a time in the future, and takes that of the import',
  ])
  assert.deepEqual(await holdersOf(w, archive, 'planted-secret'), [], 'no secret of the source is kept')
  assert.deepEqual(await roster(w), [
    'ann admin',
    'aside user',
    'ben.k user',
    'builder_bot bot',
    'gone user suspended',
    'guest guest',
    'removed user former',
    'webhooks_bot bot',
  ])
  assert.deepEqual(await rights(w), [
    [
      'Main: Town Square',
      'conversation',
      true,
      'ann:member ben.k:member gone:member guest:member owner:owner',
    ],
    ['Other: Town Square', 'conversation', true, 'owner:owner'],
    ['Closed', 'conversation', false, 'owner:owner'],
    ['', 'personal', false, 'ann:admin ben.k:admin'],
    ['Ben, Ann, gone', 'conversation', false, 'ann:owner ben.k:member gone:member'],
  ])
  await assertNothingNew(w, archive)
})
