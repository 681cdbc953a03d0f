import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read } from '../testing-traps.js'
import { slackExport } from './testing-export.js'

const saying = (ts: string, text: string, more: object = {}) => ({
  type: 'message',
  user: 'U1',
  ts,
  text,
  ...more,
})

test('an export of a Slack organisation is one export a workspace, with the people of all', async (t) => {
  const channel = (id: string, name: string) => ({ id, name, created: 1500000000, members: ['U1', 'U2'] })
  const { records, messages, remarks } = await read(t, {
    'org_users.json': [
      { id: 'U1', name: 'anna', profile: { email: 'anna@example.org' } },
      { id: 'U2', name: 'boris', profile: { email: 'boris@example.org' } },
    ],
    'teams/north/channels.json': [channel('C1', 'general')],
    'teams/north/general/2020-09-13.json': [saying('1600000001.000100', 'north', { team: 'T1' })],
    // The same name in another workspace is another chat; a channel that both share is there twice.
    'teams/south/channels.json': [channel('C2', 'general'), channel('C1', 'general')],
    'teams/south/general/2020-09-13.json': [saying('1600000001.000100', 'south', { user: 'U2', team: 'T2' })],
  })
  const people = records.flatMap((record) => (record.kind === 'person' ? record.id : []))
  assert.deepEqual(people.sort(), ['U1', 'U2'])
  assert.deepEqual(
    [...messages.values()].map(({ id, chat_id, said }) => [id, chat_id, said]),
    [
      ['C1:1600000001.000100', 'C1', 'north'],
      ['C2:1600000001.000100', 'C2', 'south'],
    ],
  )
  assert.deepEqual(
    remarks.map(({ of, reason, id }) => [of, reason, id]),
    [['chat', 'is there twice', 'C1']],
  )
})

test('Slack: calls, comments on files, hidden files and shared messages', async (t) => {
  const shared = { is_share: true, channel_id: 'C1', author_name: 'Anna', text: 'the *news*' }
  const { records, messages } = await read(t, {
    ...slackExport(),
    'secret/2020-09-14.json': [
      saying('1600060000.000000', '', {
        user: 'USLACKBOT',
        subtype: 'huddle_thread',
        room: { created_by: 'U2', date_start: 1600060000, date_end: 1600060900 },
        thread_ts: '1600060000.000000',
      }),
      saying('1600060001.000000', 'notes of the call', { thread_ts: '1600060000.000000' }),
      saying('1600060002.000000', 'Anna commented on a file', {
        user: 'U1',
        subtype: 'file_comment',
        comment: { user: 'U2', comment: 'looks *good*' },
      }),
      saying('1600060003.000000', 'old file', { files: [{ id: 'F8', mode: 'hidden_by_limit' }] }),
      saying('1600060004.000000', '', { attachments: [{ ...shared, ts: '1600000001.000100' }] }),
      saying('1600060005.000000', 'see this', { attachments: [{ ...shared, ts: '1600000001.000100' }] }),
    ],
  })
  const at = (second: number) => messages.get(`G1:160006000${second}.000000`)
  assert.deepEqual([at(0)?.said, at(0)?.author_id, at(0)?.system], ['Huddle, 15 min', 'U2', true])
  assert.equal(at(1)?.thread_of, 'G1:1600060000.000000', 'the thread of a call is kept')
  assert.deepEqual([at(2)?.said, at(2)?.author_id], ['looks **good**', 'U2'])
  assert.deepEqual(at(3)?.files, ['F8'])
  const hidden = records.find((record) => record.kind === 'file' && record.id === 'F8')
  assert.equal(hidden?.kind === 'file' && hidden.missing, 'was hidden by the plan')
  assert.deepEqual(
    [at(4)?.said, at(4)?.forward_of],
    ['> **Anna**\n> the **news**', 'C1:1600000001.000100'],
    'a message shared without a word is forwarded',
  )
  assert.deepEqual([at(5)?.said, at(5)?.forward_of], ['see this\n> **Anna**\n> the **news**', null])
})

test('Slack: authors of no known kind, shapes of old messages, and what bots attach', async (t) => {
  const bot = { subtype: 'bot_message', user: undefined, bot_id: 'B6' }
  const { records, messages, remarks } = await read(t, {
    ...slackExport(),
    'secret/2020-09-14.json': [
      saying('1600060000.000000', 'waves', { subtype: 'me_message' }),
      saying('1600060001.000000', 'done', {
        ...bot,
        username: 'Build 8',
        icons: { image_48: 'https://a.org/48.png', image_72: 'https://a.org/72.png?token=x' },
      }),
      saying('1600060002.000000', 'by nobody', { user: undefined }),
      saying('1600060003.000000', 'by the service', { user: 'USLACKBOT' }),
      saying('1600060004.000000', 'by an old account', { user: 'U00', user_profile: { real_name: 'Olga' } }),
      saying('1600060005.000000', 'old', {
        subtype: 'file_share',
        file: { id: 'F9', name: 'old.txt', size: 3 },
      }),
      saying('1600060006.000000', '', { files: [{ id: 'F10', file_access: 'check_file_info' }] }),
      saying('1600060007.000000', 'see <https://a.org/x>', {
        attachments: [{ from_url: 'https://a.org/x', service_name: 'A', title: 'a preview of the link' }],
      }),
      saying('1600060008.000000', '', { ...bot, attachments: [{ fallback: 'only this', color: 'red' }] }),
      saying('1600060009.000000', 'of a new kind', { subtype: 'brand_new' }),
      saying('1600060010.000000', '', { subtype: 'brand_newer' }),
    ],
  })
  const at = (second: number) => messages.get(`G1:16000600${String(second).padStart(2, '0')}.000000`)
  assert.equal(at(0)?.said, '*waves*')
  assert.deepEqual([at(1)?.display_name, at(1)?.display_avatar_url], ['Build 8', 'https://a.org/72.png'])
  const called = (id: string | undefined) =>
    records.flatMap((record) => {
      if (record.kind === 'person' && record.id === id) return [record.first_name, record.state]
      return record.kind === 'bot' && record.id === id ? [record.name, 'bot'] : []
    })
  assert.deepEqual(called(at(2)?.author_id), ['Former member (unknown)', 'placeholder'])
  assert.deepEqual(called(at(3)?.author_id), ['Slackbot', 'bot'])
  assert.deepEqual(called(at(4)?.author_id), ['Olga', 'placeholder'])
  assert.deepEqual([at(5)?.files, at(6)?.files], [['F9'], ['F10']])
  const denied = records.find((record) => record.kind === 'file' && record.id === 'F10')
  assert.equal(denied?.kind === 'file' && denied.missing, 'is not accessible')
  assert.equal(at(7)?.said, 'see https://a.org/x', 'previews of links in the text are dropped')
  assert.equal(at(8)?.said, 'only this')
  assert.equal(at(9)?.said, 'of a new kind')
  const reasons = remarks.map(({ reason }) => reason)
  assert.ok(reasons.includes('is of the kind brand_newer') && reasons.includes('is no pin of a message'))
})

test('Slack: blocks of bots, the token of the export in addresses of any kind, and lists that are damaged', async (t) => {
  const TOKEN = 'xoxe-1-planted-secret'
  const block = (blocks: object[]) => ({ subtype: 'bot_message', bot_id: 'B6', blocks })
  const { messages, remarks, records } = await read(t, {
    ...slackExport(),
    'groups.json': '[{"id": "G1", ',
    'mpims.json': [
      { id: 'M2', name: 'secret', members: ['U1', 'U2'], topic: { value: `<https://a.org/?t=${TOKEN}>` } },
    ],
    'secret/2020-09-14.json': [
      saying(
        '1600060000.000000',
        'short',
        block([{ type: 'markdown', text: '**bold**, *italic*, 2 > 1 & :wave:' }]),
      ),
      saying(
        '1600060001.000000',
        '',
        block([{ type: 'call', call: { v1: { name: 'Standup', join_url: 'https://a.org/1' } } }]),
      ),
      saying('1600060002.000000', '', block([{ type: 'actions', elements: [{ type: 'button' }] }])),
      saying(
        '1600060003.000000',
        `see <https://files.slack.com/a?t=${TOKEN}&amp;x=1|this> and <https://files.slack.com/b?x=1&amp;t=${TOKEN}>`,
      ),
      saying('1600060004.000000', 'one', {
        files: [{ id: 'F8', mode: 'external', title: 'Plan', url_private: `https://a.org/plan?t=${TOKEN}` }],
      }),
      saying('1600060005.000000', '', {
        attachments: [
          {
            title: 'Log',
            title_link: `https://a.org/log?t=${TOKEN}`,
            image_url: `https://a.org/p.png?t=${TOKEN}`,
          },
        ],
      }),
      saying(
        '1600060006.000000',
        '',
        block([{ type: 'image', alt_text: 'Chart', image_url: `https://a.org/c.png?t=${TOKEN}` }]),
      ),
    ],
  })
  const said = [0, 1, 2, 3, 4, 5, 6].map((second) => messages.get(`M2:160006000${second}.000000`)?.said)
  assert.deepEqual(said, [
    '**bold**, *italic*, 2 > 1 & 👋',
    '[Standup](https://a.org/1)',
    undefined,
    'see [this](https://files.slack.com/a?x=1) and https://files.slack.com/b?x=1',
    'one\n[Plan](https://a.org/plan)',
    '[Log](https://a.org/log)\nhttps://a.org/p.png',
    '[Chart](https://a.org/c.png)',
  ])
  assert.equal(JSON.stringify(records).includes('planted'), false)
  const damaged = remarks.flatMap(({ of, reason, id }) =>
    reason.startsWith('cannot be read') ? [[of, id]] : [],
  )
  assert.deepEqual(damaged, [
    ['entry', 'général/2020-09-15.json'],
    ['entry', 'groups.json'],
  ])
})

test('Slack: a chat without a list of its pins has those that its messages tell of', async (t) => {
  const pinned = { pinned_to: ['D1'], pinned_info: { channel: 'D1', pinned_by: 'U2', pinned_ts: 1600000900 } }
  const { records } = await read(t, {
    ...slackExport(),
    'D1/2020-09-15.json': [
      saying('1600100001.000100', 'keep this', pinned),
      saying('1600100002.000100', 'pinned elsewhere', { pinned_to: ['C1'] }),
    ],
    // Its list is whole: what a message tells beside it is not a second pin.
    'général/2020-09-15.json': [saying('1600100003.000100', 'not in the list', { pinned_to: ['C1'] })],
  })
  const pins = records.flatMap((record) => (record.kind === 'pin' ? [record] : []))
  assert.deepEqual(
    pins.map(({ message_id, chat_id, person_id, at }) => [message_id, chat_id, person_id, at]),
    [
      ['C1:1600000001.000100', 'C1', 'U2', 1600000100_000_000],
      ['D1:1600100001.000100', 'D1', 'U2', 1600000900_000_000],
    ],
  )
})
