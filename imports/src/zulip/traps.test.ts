import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read } from '../testing-traps.js'
import { zulipExport } from './testing-export.js'

const message = (id: number, more: object) => ({
  id,
  sender: 10,
  recipient: 100,
  subject: '',
  content: 'text',
  date_sent: 1_600_000_100 + id,
  ...more,
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

test('Zulip: notices, pasted uploads, shared names, fields with people, notes to self and names of old versions', async (t) => {
  const archive = zulipExport()
  const realm = archive['realm.json'] as Record<string, object[]>
  const message = (id: number, content: string, more: object = {}) => ({
    id,
    sender: 10,
    recipient: 100,
    subject: '',
    content,
    date_sent: 1_600_000_100 + id,
    ...more,
  })
  const { records, messages } = await read(t, {
    ...archive,
    'realm.json': {
      ...realm,
      zerver_stream: [...(realm.zerver_stream ?? []), { id: 6, name: 'abcdefgh!DEACTIVATED:older' }],
      zerver_recipient: [...(realm.zerver_recipient ?? []), { id: 106, type: 1, type_id: 10 }],
      zerver_subscription: [
        ...(realm.zerver_subscription ?? []),
        { user_profile: 12, recipient: 101, active: true },
        { user_profile: 11, recipient: 101, active: true },
      ],
      zerver_customprofilefield: [
        { id: 2, name: 'Mentor', field_type: 6 },
        { id: 3, name: 'Born', field_type: 4 },
        { id: 4, name: 'Site', field_type: 5 },
      ],
      zerver_customprofilefieldvalue: [
        { user_profile: 10, field: 2, value: '[11, 14, 98]' },
        { user_profile: 11, field: 2, value: 'no JSON' },
        { user_profile: 10, field: 3, value: '1990-01-31' },
        { user_profile: 10, field: 4, value: 'https://a.org' },
      ],
    },
    'messages-000002.json': {
      zerver_message: [
        message(60, 'Iris resolved the topic', { sender: 1 }),
        message(61, 'https://zulip.example.org/user_uploads/1/ab/menu.txt'),
        message(62, 'see /user_uploads/1/ab/menu.txt today, ![](/user_uploads/1/ab/menu.txt)'),
        message(63, 'ask @**Olaf Berg** or @**topic**', { recipient: 101 }),
        message(64, 'note', { recipient: 106 }),
      ],
    },
    'attachment.json': {
      zerver_attachment: [{ file_name: 'menu.txt', path_id: '1/ab/menu.txt', messages: [61, 62] }],
    },
  })
  const shown = ['60', '61', '62', '63'].map((id) => [messages.get(id)?.said, messages.get(id)?.system])
  assert.deepEqual(shown, [
    ['Iris resolved the topic', true],
    ['', false],
    ['see menu.txt today, ', false],
    ['ask \\@Olaf Berg or \\@topic', false],
  ])
  assert.deepEqual(messages.get('61')?.files, ['1/ab/menu.txt'])
  const note = records.find((record) => record.kind === 'chat' && record.id === messages.get('64')?.chat_id)
  assert.deepEqual(note?.kind === 'chat' && [note.type, note.people], ['personal', ['10']])
  const older = records.find((record) => record.kind === 'chat' && record.id === 'stream/6')
  assert.deepEqual(older?.kind === 'chat' && [older.name, older.archived], ['older', true])
  const fields = records.flatMap((record) =>
    record.kind === 'property' ? [record.data_type] : record.kind === 'property_value' ? [record.value] : [],
  )
  assert.deepEqual(fields, [
    'string',
    'date',
    'link',
    'Olaf Berg, Did Not Agree, 98',
    'no JSON',
    '1990-01-31',
    'https://a.org',
  ])
})

test('Zulip: a number that is no time is none', async (t) => {
  const archive = zulipExport()
  const realm = archive['realm.json'] as Record<string, object[]>
  const far = [1e21, Number.MAX_SAFE_INTEGER, 253_402_300_800, '1e400', -1]
  const { records, messages } = await read(t, {
    ...archive,
    'realm.json': { ...realm, zerver_stream: [{ id: 1, name: 'general', date_created: 1e21 }] },
    'messages-000002.json': {
      zerver_message: far.map((last_edit_time, index) => message(50 + index, { last_edit_time })),
    },
  })
  for (const index of far.keys()) assert.equal(messages.get(String(50 + index))?.edited_at, null)
  const chat = records.find((record) => record.kind === 'chat' && record.id === 'stream/1')
  assert.equal(chat?.kind === 'chat' && chat.created_at, null)
})
