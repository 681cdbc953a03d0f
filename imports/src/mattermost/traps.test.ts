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
    'bulk-export.json': lines.map((line) => JSON.stringify(line)).join('\n'),
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
