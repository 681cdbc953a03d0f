import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openSource } from './open-source.js'
import { type ImportRecord, isRemark, type MessageRecord, type Remark } from './records.js'
import { slackExport } from './slack/testing-export.js'
import { writeZip } from './testing-archive.js'
import { renderText } from './text/render.js'
import { zulipExport } from './zulip/testing-export.js'

/*
 * Traps of the formats, and where they are tested. `exports` are the generated archives (testing-export.ts of each source), whose
 * import is checked in server/src/imports/<source>.test.ts.
 *
 * all         absolute and `..` paths, links, unknown entries, damaged JSON, equal ids, times in the future    exports
 *             wrapping folder, __MACOSX, names without the UTF-8 flag, ratios, duplicate names                 archive.test.ts, exports
 *             secrets of the source are nowhere; a second run writes nothing                                   exports, fetch.test.ts
 *             links to the old host                                                                            links.test.ts
 * slack       organisation, huddle_thread, file_comment, hidden_by_limit, shared messages                      here
 *             replies before roots, missing roots, equal ts, tombstone, thread_broadcast, bots by B… alone,
 *             fields as null, list and object, created as text and 1, folders without record, rich text blocks exports
 *             HTML in place of bytes, tokens in addresses, redirects                                           fetch.test.ts
 * mattermost  burn_on_read, participants, posts without a time                                                 here
 *             roots in random order, replies before roots, user and bot of one name, unknown authors,
 *             two posts of a millisecond, props as text, webhooks, NFD paths, broken lines                     exports
 * zulip       polls, edit_history, limited posting                                                             here
 *             both ways to write to one person, topics without regard to case, resolved topics, equal names,
 *             dummies, unknown senders, DEACTIVATED names, uploads in several messages, damaged files          exports
 * rocketchat  former versions, deleted and encrypted messages, discussions, teams, GridFS out of order, quotes,
 *             renamed people in reactions, both Markdowns, archives and folders of mongodump, CSV              exports, text.test.ts
 */

interface Read {
  records: ImportRecord[]
  remarks: Remark[]
  /** By id. */
  messages: Map<string, MessageRecord & { said: string }>
}

const NAMES = { person: () => undefined, chat: () => undefined, tag: () => undefined }

async function read(t: TestContext, entries: Record<string, unknown>): Promise<Read> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-traps-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'export.zip')
  await writeZip(path, entries)
  const source = await openSource(path, null, {})
  const found: Read = { records: [], remarks: [], messages: new Map() }
  for await (const record of source.records()) {
    if (isRemark(record)) found.remarks.push(record)
    else found.records.push(record as ImportRecord)
    if (!isRemark(record) && record.kind === 'message')
      found.messages.set(record.id, { ...record, said: renderText(record.text, NAMES).parts.join('\n') })
  }
  await source.close()
  return found
}

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

test('Zulip: polls with their votes, changes of the text alone, and streams where some may write', async (t) => {
  const archive = zulipExport()
  const realm = archive['realm.json'] as Record<string, object[]>
  const said = (sender: number, content: object) => ({
    message: 50,
    sender,
    msg_type: 'widget',
    content: JSON.stringify(content),
  })
  const message = (id: number, more: object) => ({
    id,
    sender: 10,
    recipient: 100,
    subject: '',
    content: 'text',
    date_sent: 1_600_000_100 + id,
    ...more,
  })
  const moved = { timestamp: 1_600_009_000, prev_topic: 'a', topic: 'b' }
  const { records, messages } = await read(t, {
    ...archive,
    'realm.json': {
      ...realm,
      zerver_stream: [
        ...(realm.zerver_stream ?? []),
        { id: 3, name: 'news', can_send_message_group: 41 },
        { id: 4, name: 'open', can_send_message_group: 40 },
        { id: 5, name: 'older', stream_post_policy: 2 },
      ],
      zerver_recipient: [...(realm.zerver_recipient ?? []), { id: 105, type: 2, type_id: 3 }],
      zerver_subscription: [
        ...(realm.zerver_subscription ?? []),
        ...[10, 11].map((user_profile) => ({ user_profile, recipient: 105, active: true })),
      ],
      zerver_namedusergroup: [
        ...(realm.zerver_namedusergroup ?? []),
        { id: 40, usergroup_ptr: 40, name: 'role:everyone', is_system_group: true },
        { id: 41, usergroup_ptr: 41, name: 'role:administrators', is_system_group: true },
      ],
      zerver_submessage: [
        said(10, { widget_type: 'poll', extra_data: { question: 'Lunch?', options: ['soup', 'fish'] } }),
        said(11, { type: 'new_option', idx: 1, option: 'bread' }),
        said(11, { type: 'vote', key: 'canned,0', vote: 1 }),
        said(10, { type: 'vote', key: 'canned,0', vote: 1 }),
        said(10, { type: 'vote', key: 'canned,0', vote: -1 }),
        said(10, { type: 'vote', key: '11,1', vote: 1 }),
        { message: 50, sender: 10, content: 'no JSON' },
      ],
    },
    'messages-000002.json': {
      zerver_message: [
        message(50, { content: '/poll Lunch?\nsoup\nfish' }),
        message(51, { last_edit_time: 1_600_009_000, edit_history: JSON.stringify([moved]) }),
        message(52, {
          last_edit_time: 1_600_009_000,
          edit_history: JSON.stringify([moved, { timestamp: 1_600_008_000, prev_content: 'before' }]),
        }),
        message(53, { last_edit_time: 1_600_009_000, edit_history: 'no JSON' }),
      ],
    },
  })
  assert.equal(messages.get('50')?.said, '**Lunch?**\n- soup: 1\n- fish: 0\n- bread: 1')
  assert.deepEqual(
    ['51', '52', '53'].map((id) => messages.get(id)?.edited_at),
    [null, 1_600_008_000_000_000, 1_600_009_000_000_000],
    'a message that was only moved is not a changed one',
  )
  const types = records.flatMap((record) =>
    record.kind === 'chat' && record.type !== 'personal' ? [[record.name, record.type]] : [],
  )
  assert.deepEqual(Object.fromEntries(types), {
    general: 'conversation',
    old: 'conversation',
    news: 'channel',
    open: 'conversation',
    older: 'channel',
  })
  const roles = records.flatMap((record) =>
    record.kind === 'chat_member' && record.chat_id === 'stream/3' ? [[record.person_id, record.role]] : [],
  )
  assert.deepEqual(roles, [
    ['10', 'editor'],
    ['11', 'member'],
  ])
})
