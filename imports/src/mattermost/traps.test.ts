import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read } from '../testing-traps.js'

test('Mattermost: posts that burn, participants of direct channels, and posts without a time', async (t) => {
  const at = 1_600_000_000_000
  const direct = (message: string, create_at: number, more: object = {}) => ({
    type: 'direct_post',
    direct_post: { channel_members: ['ann', 'ben'], user: 'ann', message, create_at, ...more },
  })
  const lines = [
    { type: 'version', version: 1 },
    { type: 'user', user: { username: 'ann', email: 'ann@example.org', roles: 'system_user' } },
    { type: 'user', user: { username: 'ben', email: 'ben@example.org', roles: 'system_user' } },
    {
      type: 'direct_channel',
      direct_channel: { participants: [{ username: 'ann' }, { username: 'ben' }] },
    },
    direct('no time and nothing before it', 0),
    direct('hello', at),
    direct('no time either', 0),
    direct('read me once', at + 1, { type: 'burn_on_read' }),
    direct('no time', 0),
  ]
  const { records, messages, remarks } = await read(t, {
    'import.jsonl': lines.map((line) => JSON.stringify(line)).join('\n'),
  })
  const chats = records.flatMap((record) => (record.kind === 'chat' ? [record] : []))
  assert.deepEqual(
    chats.map(({ type, people }) => [type, people]),
    [['personal', ['ann', 'ben']]],
  )
  assert.deepEqual(
    [...messages.values()].map(({ said, at }) => [said, at]),
    [
      ['hello', at * 1000],
      ['no time either', at * 1000],
      ['no time', (at + 1) * 1000],
    ],
  )
  assert.deepEqual(
    remarks.map(({ kind, reason }) => [kind, reason]),
    [
      ['skipped', 'has no time'],
      ['warning', 'has no time, and takes that of the message before it'],
      ['skipped', 'is of the kind burn_on_read'],
      ['warning', 'has no time, and takes that of the message before it'],
    ],
  )
})

test('Mattermost: lines under any name, paths of the server, posts of plugins, and direct posts that nobody asked for', async (t) => {
  const at = 1_600_000_000_000
  const post = (user: string, message: string, more: object = {}) => ({
    type: 'post',
    post: { team: 'main', channel: 'dev', user, message, create_at: at, ...more },
  })
  const lines = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'main', display_name: 'Main' } },
    { type: 'channel', channel: { team: 'main', name: 'dev', type: 'O' } },
    { type: 'user', user: { username: 'ann', teams: null } },
    { type: 'bot', bot: { username: 'hooks' } },
    { type: 'role', role: { name: 'channel_admin' } },
    { type: 'scheme', scheme: { name: 'strict' } },
    post('ann', 'moved', { attachments: [{ path: '/opt/mattermost/data/2019/a b.txt' }] }),
    post('ann', 'A call has started', {
      type: 'custom_calls',
      create_at: at + 1,
      reactions: [
        { user: 'hooks', emoji_name: 'wave', create_at: 0 },
        { user: 'gone', emoji_name: 'wave' },
      ],
    }),
    post('hooks', 'deployed', {
      props: { from_webhook: true, override_username: 'Deploys' },
      create_at: at + 2,
    }),
    {
      type: 'direct_post',
      direct_post: { channel_members: ['ann'], user: 'ann', message: 'note', create_at: at },
    },
  ]
  const entries = {
    // As an editor on Windows saves it: a byte order mark first, and other ends of lines.
    'bulk-export.json': `\ufeff${lines.map((line) => JSON.stringify(line)).join('\r\n')}`,
    'data/2019/a b.txt': Buffer.from('a'),
  }
  const { records, messages, remarks } = await read(t, entries, { only_public: true })
  const files = records.flatMap((record) => (record.kind === 'file' ? [[record.name, record.path]] : []))
  assert.deepEqual(files, [['a b.txt', 'data/2019/a b.txt']])
  assert.deepEqual(
    [...messages.values()].map(({ said, author_id, display_name }) => [said, author_id, display_name]),
    [
      ['moved', 'ann', null],
      ['A call has started', 'ann', null],
      ['deployed', 'hooks', 'Deploys'],
    ],
  )
  const reactions = records.flatMap((record) =>
    record.kind === 'reaction' ? [[record.person_id, record.at]] : [],
  )
  assert.deepEqual(reactions, [['hooks', (at + 1) * 1000]], 'bots react, too')
  assert.deepEqual(
    remarks.map(({ kind, of, reason }) => [kind, of, reason]),
    [
      ['skipped', 'entry', 'is of the kind role'],
      ['skipped', 'entry', 'is of the kind scheme'],
      ['skipped', 'reaction', 'is by somebody unknown'],
      ['skipped', 'message', 'is in a chat that was not asked for'],
    ],
  )
})

test('Mattermost: roles of the workspace and of channels, guests by the number of their channels', async (t) => {
  const user = (username: string, roles: string, channels: Record<string, string>, more: object = {}) => ({
    type: 'user',
    user: {
      username,
      roles,
      teams: [
        { name: 'main', channels: Object.entries(channels).map(([name, roles]) => ({ name, roles })) },
        { name: 'other', channels: null },
      ],
      ...more,
    },
  })
  const channel = (name: string, type: string, more: object = {}) => ({
    type: 'channel',
    channel: { team: 'main', name, type, ...more },
  })
  const member = 'channel_user'
  const lines = [
    { type: 'version', version: 1 },
    channel('dev', 'O', { purpose: 'Code', header: 'Code' }),
    channel('board', 'P', { deleted_at: 1_600_000_000_000 }),
    user('ann', 'system_user system_admin', { dev: 'channel_user channel_admin', board: member }),
    user(
      'ben',
      'system_user team_admin',
      { dev: member },
      { nickname: 'Benny', first_name: 'Ben', position: 'Cook' },
    ),
    user('one', 'system_guest', { dev: 'channel_guest' }),
    user('two', 'system_guest', { dev: 'channel_guest', board: 'channel_guest', gone: 'channel_guest' }),
  ]
  const { records } = await read(t, { 'import.jsonl': lines.map((line) => JSON.stringify(line)).join('\n') })
  const people = records.flatMap((record) =>
    record.kind === 'person' ? [[record.id, record.role, record.first_name, record.title]] : [],
  )
  assert.deepEqual(people, [
    ['ann', 'admin', 'ann', null],
    ['ben', 'user', 'Ben', 'Cook'],
    ['one', 'guest', 'one', null],
    ['two', 'multi_guest', 'two', null],
  ])
  const members = records.flatMap((record) =>
    record.kind === 'chat_member' ? [`${record.chat_id} ${record.person_id} ${record.role}`] : [],
  )
  assert.deepEqual(members, [
    'main/dev ann admin',
    'main/board ann member',
    'main/dev ben member',
    'main/dev one member',
    'main/dev two member',
    'main/board two member',
  ])
  const chats = records.flatMap((record) =>
    record.kind === 'chat' ? [[record.name, record.public, record.description, record.archived]] : [],
  )
  assert.deepEqual(chats, [
    ['dev', true, 'Code', false],
    ['board', false, null, true],
  ])
})

test('Mattermost: one team alone, and chats by name or id', async (t) => {
  const channel = (team: string, name: string) => ({
    type: 'channel',
    channel: { team, name, display_name: name, type: 'O' },
  })
  const post = (team: string, name: string) => ({
    type: 'post',
    post: { team, channel: name, user: 'ann', message: `${team} ${name}`, create_at: 1_600_000_000_000 },
  })
  const places = [
    ['north', 'town-square'],
    ['north', 'lab'],
    ['northern', 'lab'],
    ['south', 'town-square'],
  ] as const
  const lines = [
    { type: 'version', version: 1 },
    ...['north', 'northern', 'south'].map((name) => ({ type: 'team', team: { name, type: 'O' } })),
    ...places.map(([team, name]) => channel(team, name)),
    { type: 'user', user: { username: 'ann', email: 'ann@example.org', roles: 'system_user' } },
    ...places.map(([team, name]) => post(team, name)),
  ]
  const entries = { 'import.jsonl': lines.map((line) => JSON.stringify(line)).join('\n') }
  const said = async (chats: string[]) =>
    [...(await read(t, entries, { chats })).messages.values()].map((message) => message.said).sort()
  assert.deepEqual(await said(['north/*']), ['north lab', 'north town-square'])
  assert.deepEqual(await said(['south/town-square']), ['south town-square'])
  assert.deepEqual(await said(['south/*', 'northern/lab']), ['northern lab', 'south town-square'])
  assert.deepEqual(await said(['*', 'east/*']), [])
})

test('Mattermost: a number that is no time is none', async (t) => {
  const post = { team: 'north', channel: 'lab', user: 'ann', message: 'text', create_at: 1_600_000_000_000 }
  const lines = [
    { type: 'version', version: 1 },
    { type: 'team', team: { name: 'north', type: 'O' } },
    { type: 'channel', channel: { team: 'north', name: 'lab', type: 'O', deleted_at: 1e21 } },
    { type: 'user', user: { username: 'ann', email: 'ann@example.org', roles: 'system_user' } },
    { type: 'post', post: { ...post, edit_at: 253_402_300_800_000 } },
  ]
  const { records, messages } = await read(t, {
    'import.jsonl': lines.map((line) => JSON.stringify(line)).join('\n'),
  })
  assert.deepEqual(
    [...messages.values()].map(({ edited_at }) => edited_at),
    [null],
  )
  const chat = records.find((record) => record.kind === 'chat')
  assert.equal(chat?.kind === 'chat' && chat.archived, false)
})
