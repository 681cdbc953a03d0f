import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGroupTag } from '@parley/contract'
import { sql } from 'kysely'
import { type World, world } from '../testing/world.js'
import { listRemarks } from './queries.js'
import { archiveOf, bringIn } from './testing-import.js'

const user = (id: string, name: string, more: object = {}) => ({
  id,
  name,
  profile: { real_name: name },
  ...more,
})
const said = (ts: string, by: string, text: string, more: object = {}) => ({
  type: 'message',
  user: by,
  ts,
  text,
  ...more,
})

/** A small export: one channel whose people are `users`. */
function exportOf(users: readonly { id: string }[], messages: readonly object[]) {
  const members = users.map(({ id }) => id)
  return {
    'users.json': users,
    'channels.json': [{ id: 'C1', name: 'imported', created: 1500000000, creator: members[0], members }],
    'imported/2020-09-13.json': messages,
  }
}

async function rosterOf({ ctx }: World, name: string): Promise<(string | null)[][]> {
  const { rows } = await sql<{ nickname: string; role: string; user_role: string }>`
    select u.nickname, m.role, u.role as user_role from chat_members m join chats c on c.id = m.chat_id
      join users u on u.id = m.user_id where c.name = ${name} order by u.nickname`.execute(ctx.autocommit)
  return rows.map(({ nickname, role, user_role }) => [nickname, role, user_role])
}

test('people are those whom the mapping names, by mail, nickname or not at all', async (t) => {
  const w = await world(t)
  const { rows } = await sql<{ id: number; nickname: string; email: string }>`
    select id, nickname, email from users where id = any(${[w.alice.id, w.bob.id]}) order by id`.execute(
    w.ctx.autocommit,
  )
  const [alice, bob] = rows as [(typeof rows)[0], (typeof rows)[0]]
  const profile = { email: 'fourth@example.org', fields: { Xf1: { value: 'North' } } }
  const users = [
    user('U1', 'first'),
    user('U2', 'second'),
    user('U3', 'third'),
    user('U4', alice.nickname, { profile }),
  ]
  const messages = [
    said('1600000001.000100', 'U1', 'hello <@U2>'),
    said('1600000002.000100', 'U9', 'not in the list'),
    said('1600000003.000100', 'U1', 'for <!subteam^S1|@north> and <!subteam^S2|@south>'),
  ]
  await w.owner.call(createGroupTag, { body: { group_tag: { name: 'Far North' } } })
  const archive = await archiveOf(t, exportOf(users, messages))
  const people = { U1: alice.nickname.toUpperCase(), U2: bob.email, U3: 'nobody@example.org' }
  const tags = { S1: 'far north', S2: 'nowhere' }
  const done = await bringIn(w, archive, { mapping: { people, fields: { Xf1: 'Office' }, tags } })
  const { person } = done.counts as Record<string, { merged: number; written: number }>
  assert.deepEqual([person?.merged, person?.written], [2, 3])
  const message = await w.ctx.db
    .selectFrom('messages')
    .selectAll()
    .where('content', '=', `hello @${bob.nickname}`)
    .executeTakeFirstOrThrow()
  assert.equal(message.user_id, alice.id)
  const remarks = await listRemarks(w.ctx.db, done.id)
  assert.deepEqual(
    remarks
      .map(({ kind, reason, ids }) => [kind, reason, ids])
      .sort(([, one], [, other]) => (String(one) < String(other) ? -1 : 1)),
    [
      ['warning', 'comes as an author alone, who cannot sign in', ['U9']],
      ['warning', 'has another nickname here', [`U4: ${alice.nickname} → ${alice.nickname}2`]],
      ['warning', 'has no mail address, and cannot sign in before there is one', ['U3']],
      ['warning', 'is mapped to nobody here', ['U3']],
    ],
  )
  const { content } = await w.ctx.db
    .selectFrom('messages')
    .select('content')
    .where('content', 'like', 'for %')
    .executeTakeFirstOrThrow()
  assert.equal(content, 'for @FarNorth and \\@south', 'a group is the tag that the mapping gives it')
  const fields = await w.ctx.db.selectFrom('custom_properties').select('name').execute()
  assert.deepEqual(fields, [{ name: 'Office' }], 'a field has the name that the mapping gives it')
})

test('whom the mapping leads to nobody is matched by mail address, and the report says so', async (t) => {
  const w = await world(t)
  const { rows } = await sql<{ email: string }>`
    select email from users where id = ${w.alice.id}`.execute(w.ctx.autocommit)
  const users = [user('U1', 'alice', { profile: rows[0] })]
  const archive = await archiveOf(t, exportOf(users, [said('1600000001.000100', 'U1', 'hello')]))
  const done = await bringIn(w, archive, { mapping: { people: { U1: 'nobody@example.org' } } })
  const { person } = done.counts as Record<string, { merged: number; written: number }>
  assert.deepEqual([person?.merged, person?.written], [1, 0])
  const remarks = await listRemarks(w.ctx.db, done.id)
  assert.deepEqual(
    remarks.map(({ reason, ids }) => [reason, ids]),
    [['is mapped to nobody here', ['U1']]],
  )
})

test('guests come as asked: as guests, as people of the workspace, or as authors alone', async (t) => {
  const users = [
    user('U1', 'anna'),
    user('U2', 'guest', { is_restricted: true }),
    user('U3', 'gone', { deleted: true }),
  ]
  const messages = [
    said('1600000001.000100', 'U1', 'ask <@U2> or <@U3>'),
    said('1600000002.000100', 'U2', 'yes'),
  ]
  const cases = [
    { options: {}, roster: ['anna/user', 'gone/user', 'guest/multi_guest'], text: 'ask @guest or @gone' },
    {
      options: { guests: 'user' },
      roster: ['anna/user', 'gone/user', 'guest/user'],
      text: 'ask @guest or @gone',
    },
    {
      options: { guests: 'skip', deactivated: 'placeholder' },
      roster: ['anna/user'],
      text: 'ask \\@guest or \\@gone',
    },
  ] as const
  for (const { options, roster, text } of cases) {
    const w = await world(t)
    const done = await bringIn(w, await archiveOf(t, exportOf(users, messages)), { options })
    assert.deepEqual(
      (await rosterOf(w, 'imported')).map(([name, , role]) => `${name}/${role}`),
      roster,
      JSON.stringify(options),
    )
    const { rows } = await sql<{ content: string; deleted: boolean }>`
      select m.content, u.deleted_at is not null as deleted from messages m join users u on u.id = m.user_id
        join chats c on c.id = m.chat_id where c.name = 'imported' order by m.id`.execute(w.ctx.autocommit)
    assert.deepEqual(rows, [
      { content: text, deleted: false },
      { content: 'yes', deleted: 'guests' in options && options.guests === 'skip' },
    ])
    const { chat_member } = done.counts as Record<string, { read: number; written: number; skipped: number }>
    assert.equal(chat_member?.read, (chat_member?.written ?? 0) + (chat_member?.skipped ?? 0))
  }
})

test('reactions over the limits of a message are left out, each with its reason', async (t) => {
  const w = await world(t)
  const names =
    'grinning smile laughing blush wink heart star fire tada rocket eyes pray clap wave muscle'.split(' ')
  const more =
    '+1 -1 ok_hand v point_up cat dog mouse hamster rabbit fox_face bear panda_face koala tiger lion_face cow pig'
  const emoji = [...names, ...more.split(' ')]
  const users = [user('U1', 'anna'), user('U2', 'boris')]
  const reactions = emoji.map((name, at) => ({ name, users: at < 25 ? ['U1'] : ['U2'], count: 1 }))
  const archive = await archiveOf(
    t,
    exportOf(users, [said('1600000001.000100', 'U1', 'look', { reactions })]),
  )
  const done = await bringIn(w, archive)
  const { reaction } = done.counts as Record<string, { read: number; written: number; skipped: number }>
  // Twenty of the first person, and all eight of the second.
  assert.deepEqual(reaction && [reaction.read, reaction.written, reaction.skipped], [33, 28, 5])
  const [limit] = await listRemarks(w.ctx.db, done.id)
  assert.equal(limit?.reason, 'is one too many: at most 20 different reactions of one person on a message')
  await bringIn(w, archive)
  const { count } = await w.ctx.db
    .selectFrom('reactions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(Number(count), 28, 'the second run counts what the first has written')
})

test('names and texts that are too long are cut between characters', async (t) => {
  const w = await world(t)
  // The 255th and the 768th unit are halves of a character.
  const [name, long] = ['😀'.repeat(200), `x${'😀'.repeat(400)}`]
  const fields = { Xf1: { value: long } }
  const profile = { first_name: name, last_name: name, title: name, phone: name, fields }
  const users = [
    { ...user('U1', `x${'𐐀'.repeat(150)}`), profile },
    { ...user('U2', 'two'), profile },
    { ...user('U3', 'robot'), is_bot: true, profile: { real_name: name, bot_id: 'B3' } },
  ]
  const messages = [
    said('1600000001.000000', 'U3', 'hello', {
      bot_id: 'B3',
      username: name,
      files: [{ id: 'F1', name: `${name}.txt` }],
    }),
  ]
  const entries = {
    ...exportOf(users, messages),
    'groups.json': [{ id: 'G1', name, created: 1500000000, creator: 'U1', members: ['U1'] }],
    '__uploads/F1/kept.txt': Buffer.from('12345'),
    'mpims.json': [{ id: 'M1', name: 'm', created: 1500000000, members: ['U1', 'U2', 'U3'] }],
  }
  const done = await bringIn(w, await archiveOf(t, entries))
  assert.equal(done.state, 'done')
  const kept = await sql<{ name: string }>`
    select c.name from chats c join import_keys k on k.id = c.id and k.kind = 'chat'
    union all select u.first_name || u.last_name || u.title || u.phone_number from users u where first_name like '😀%' and not bot
    union all select value from user_properties union all select first_name from users where bot
    union all select display_name from messages union all select name from files`.execute(w.ctx.autocommit)
  const texts = kept.rows.map((row) => row.name)
  assert.ok(texts.includes('😀'.repeat(127)))
  assert.ok(texts.includes(`x${'😀'.repeat(383)}`))
  assert.ok(texts.includes(`${'😀'.repeat(125)}.txt`), 'a file keeps its extension')
  assert.ok(!texts.some((text) => text?.includes('\ufffd')))
})
