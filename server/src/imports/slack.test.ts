import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as api from '@parley/contract'
import { slackExport } from '@parley/imports/testing'
import { sql } from 'kysely'
import { actingFor } from '../platform/actor.js'
import { world } from '../testing/world.js'
import {
  archiveOf,
  assertNothingNew,
  assertTold,
  bringIn,
  bringInChecked,
  holdersOf,
  picturesOf,
  rights,
  roster,
  sizes,
} from './testing-import.js'
import { undoImport } from './undo.js'

test('a Slack export with every trap comes in, silently, and a second run writes nothing', async (t) => {
  const w = await world(t)
  const archive = await archiveOf(t, slackExport())
  const before = await sizes(w)
  const done = await bringInChecked(w, archive)
  const { property, property_value } = done.counts as Record<string, object>
  assert.deepEqual(
    [property, property_value],
    [
      { read: 1, written: 1, merged: 0, skipped: 0 },
      { read: 2, written: 2, merged: 0, skipped: 0 },
    ],
    'a field of several people is one',
  )
  assert.deepEqual(await picturesOf(w), ['anna 200 image/png 1'])

  const { rows: unmeasured } = await sql`
    select relname, reltuples from pg_class
    where oid in ('users'::regclass, 'chats'::regclass, 'messages'::regclass, 'chat_members'::regclass) and reltuples <= 1`.execute(
    w.ctx.autocommit,
  )
  assert.deepEqual(unmeasured, [], 'statements are planned for what the tables hold now')

  const anna = await w.ctx.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', 'anna@example.org')
    .executeTakeFirstOrThrow()
  assert.deepEqual(
    [anna.role, anna.nickname, anna.password_hash, anna.time_zone],
    ['admin', 'anna', null, 'Europe/Oslo'],
  )
  const session = await w.as(anna.id, { session: true })
  const { data: chats } = await session.call(api.listChats, { query: { limit: 50 } })
  const named = new Map(chats.map((chat) => [chat.name, chat]))
  assert.ok(named.get('secret') && named.get('général')?.public)
  assert.ok(named.has('Anna Berg, Boris K, Dora'))
  const described = await w.ctx.db
    .selectFrom('chats')
    .select('description')
    .where('name', '=', 'général')
    .execute()
  assert.deepEqual(described, [
    { description: 'All & sundry, ask @Boris K or https://example.org/a?b=1&c=2' },
  ])

  const general = named.get('général') as { id: number }
  const { data: page } = await session.call(api.listMessages, { query: { chat_id: general.id, limit: 50 } })
  const texts = page.map(({ content }) => content.slice(0, 40)).reverse()
  assert.deepEqual(texts.slice(0, 3), ['**root** @boris <b>', 'first of the second', 'second'])
  assert.ok(texts.includes('failed\n[Log](https://ci.example.org/7)'), JSON.stringify(texts))
  assert.ok(texts.includes('rich **2*3*4 <b>**\n1. @anna'))
  assert.ok(texts.includes('elsewhere\n[Plan](https://docs.example.org'.slice(0, 40)))
  assert.ok(texts.includes('orphan'), 'a reply without its root stands in the chat')
  assert.equal(
    texts.filter((text) => text.startsWith('xxx')).length,
    2,
    'a long text goes on in a second message',
  )
  const root = page.at(-1) as api.Message
  assert.equal(root.created_at, '2020-09-13T12:26:41.000Z')
  assert.ok(root.thread, 'the root has its thread')
  const { data: replies } = await session.call(api.listMessages, {
    query: { chat_id: root.thread?.chat_id as number },
  })
  assert.deepEqual(replies.map(({ content }) => content).sort(), ['late reply', 'told twice'])
  const copy = page.find(({ content }) => content === 'told twice')
  assert.ok(copy?.forwarding)
  const withFile = page.find(({ files }) => files.length > 0)
  assert.deepEqual([withFile?.content, withFile?.files[0]?.name], ['📎 lost.png (7 bytes)', 'passwd.txt'])
  assert.equal(page.find(({ content }) => content.startsWith('failed'))?.display_name, 'Build 7')
  const { data: reactions } = await session.call(api.listReactions, { params: { id: root.id } })
  assert.equal(reactions.length, 3, 'bots react, too')
  const { rows: behind } = await sql`
    select from chat_members m join chats c on c.id = m.chat_id join import_keys k on k.id = c.id and k.kind = 'chat'
    where m.read_number <> c.messages_count`.execute(w.ctx.autocommit)
  assert.equal(behind.length, 0, 'everything is read for everybody')

  const { rows: unknown } = await sql`
    select said from messages m, unnest(search_words_in(content, file_names)) said
    where not m.system and m.deleted_at is null except select word from search_words`.execute(
    w.ctx.autocommit,
  )
  assert.deepEqual(unknown, [], 'search knows every word')

  const after = await sizes(w)
  assert.equal(after.events, (before.events ?? 0) + 1, 'one event asks clients to read anew')
  assert.equal(after.jobs, before.jobs)
  await assertTold(w, done.id, [
    'is there twice',
    'has no time',
    'is not in the archive',
    'is of the kind message_changed',
    'is a folder of no known chat',
    'cannot be read',
    'is no emoji that exists here',
    'is no object',
    'has a picture that cannot be read',
  ])
  assert.deepEqual(await holdersOf(w, archive, 'xoxe'), [], 'no secret of the source is kept')
  assert.deepEqual(await roster(w), [
    'anna admin',
    'boris user',
    'ci_bot bot',
    'former.U9 user former',
    'gone user suspended',
    'member multi_guest without mail',
    'slack_bot bot',
    'unknown_bot bot',
  ])
  assert.deepEqual(await rights(w), [
    ['général', 'conversation', true, 'anna:owner boris:member member:member'],
    ['old', 'conversation', true, 'owner:owner'],
    ['secret', 'conversation', false, 'anna:member boris:owner'],
    ['Anna Berg, Boris K, Dora', 'conversation', false, 'anna:owner boris:member member:member'],
    ['', 'personal', false, 'anna:admin boris:admin'],
    ['', 'personal', false, 'anna:admin'],
  ])

  await assertNothingNew(w, archive)
})

test('an undo leaves nothing, and is refused where somebody has written since', async (t) => {
  const w = await world(t)
  const archive = await archiveOf(t, slackExport())
  const before = await sizes(w)
  const actor = actingFor(w.owner.id, 'owner', 'corporation')
  const done = await bringIn(w, archive)

  const chat = await w.ctx.db
    .selectFrom('chats')
    .select('id')
    .where('name', '=', 'secret')
    .executeTakeFirstOrThrow()
  const boris = await w.ctx.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'boris@example.org')
    .executeTakeFirstOrThrow()
  const session = await w.as(boris.id, { session: true })
  const { data: added } = await session.call(api.createMessage, {
    body: { message: { entity_id: chat.id, content: 'since' } },
  })
  await assert.rejects(undoImport(w.ctx, actor, done.id), /Somebody has written since in secret/)
  await w.ctx.autocommit.deleteFrom('messages').where('id', '=', added.id).execute()
  await w.ctx.autocommit.deleteFrom('tokens').where('user_id', '=', boris.id).execute()
  await w.ctx.autocommit
    .updateTable('users')
    .set({ last_activity_at: null })
    .where('id', '=', boris.id)
    .execute()
  await undoImport(w.ctx, actor, done.id)
  const { events, jobs, ...left } = await sizes(w)
  const { events: _events, jobs: _jobs, ...wanted } = before
  assert.deepEqual(left, wanted)
  assert.ok(events !== undefined && jobs !== undefined)
})
