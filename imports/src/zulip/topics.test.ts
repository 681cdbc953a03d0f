import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ArchiveError } from '../archive/archive.js'
import { read } from '../testing-traps.js'
import { zulipExport } from './testing-export.js'

const message = (id: number, subject: string, content: string, more: object = {}) => ({
  id,
  sender: 10,
  recipient: 100,
  subject,
  content,
  date_sent: 1_600_000_100 + id,
  ...more,
})

/** Topics by turns; the first message of one has a later id, as histories have that were imported there. */
const MESSAGES = [
  message(70, 'Lunch', 'later'),
  message(71, 'Dinner', 'soup'),
  message(72, 'lunch', 'first by time', { date_sent: 1_600_000_000 }),
  message(73, '', 'no topic'),
  message(74, '✔ Dinner', '> quoted'),
  message(75, 'Dinner', 'was resolved', { type: 2 }),
]

const exportOf = (zerver_message: readonly object[], realm: object = {}) => {
  const whole = zulipExport()
  return {
    ...whole,
    'realm.json': { ...(whole['realm.json'] as object), ...realm },
    'messages-000001.json': { zerver_message },
    'messages-000002.json': { zerver_message: [] },
  }
}

test('Zulip: a topic is a thread below its first message by time, whatever its id', async (t) => {
  const { messages, workspace } = await read(t, exportOf(MESSAGES))
  assert.equal(workspace, 'acme', 'ids are those of the realm')
  assert.deepEqual(
    [...messages.values()].map(({ id, thread_of, said, system }) => [id, thread_of, said, system]),
    [
      ['70', '72', 'later', false],
      ['71', null, '**Dinner**\nsoup', false],
      ['72', null, '**lunch**\nfirst by time', false],
      ['73', null, 'no topic', false],
      ['74', '71', '> quoted', false],
      ['75', '71', 'was resolved', true],
    ],
  )
  const later = await read(t, exportOf(MESSAGES), { since: 1_600_000_150_000_000 })
  assert.deepEqual(
    [later.messages.get('70')?.thread_of, later.messages.get('70')?.said],
    [null, '**Lunch**\nlater'],
    'what is left out is no first message',
  )
})

test('Zulip: topics in one row, each named where it changes', async (t) => {
  const { messages } = await read(t, exportOf(MESSAGES), { topics: 'flat', system_messages: 'skip' })
  assert.deepEqual(
    [...messages.values()].map(({ thread_of, said }) => [thread_of, said]),
    [
      [null, '**Lunch:** later'],
      [null, '**Dinner:** soup'],
      [null, '**lunch:** first by time'],
      [null, 'no topic'],
      [null, '**Dinner:**\n> quoted'],
    ],
  )
})

test('Zulip: tasks, own names of emoji, and reactions of bots', async (t) => {
  const widget = (sender: number, content: object) => ({
    message: 80,
    sender,
    content: JSON.stringify(content),
  })
  const reaction = (user_profile: number, emoji_name: string, emoji_code: string) => ({
    user_profile,
    message: 81,
    emoji_name,
    emoji_code,
    reaction_type: 'unicode_emoji',
  })
  const { messages, records, remarks } = await read(
    t,
    exportOf(
      [message(80, '', '/todo'), message(81, '', ':working_on_it: :wave: :nosuch: `:working_on_it:`')],
      {
        zerver_submessage: [
          widget(10, {
            widget_type: 'todo',
            extra_data: {
              task_list_title: 'Move',
              tasks: [{ task: 'pack', desc: 'all of it' }, { task: 'call' }],
            },
          }),
          widget(11, { type: 'new_task', key: 2, task: 'paint', desc: '', completed: false }),
          widget(10, { type: 'strike', key: '0,canned' }),
          widget(10, { type: 'strike', key: '2,11' }),
          widget(11, { type: 'strike', key: '2,11' }),
          widget(10, { type: 'new_task_list_title', title: 'Moving' }),
        ],
        zerver_reaction: [reaction(20, 'working_on_it', '1f6e0'), reaction(98, 'tada', '1f389')],
      },
    ),
  )
  assert.equal(messages.get('80')?.said, '**Moving**\n- [x] pack: all of it\n- [ ] call\n- [ ] paint')
  assert.equal(messages.get('81')?.said, '🛠 👋 :nosuch: `:working_on_it:`')
  const reactions = records.flatMap((record) =>
    record.kind === 'reaction' ? [[record.person_id, record.emoji]] : [],
  )
  assert.deepEqual(reactions, [['20', '🛠']])
  assert.ok(remarks.some(({ of, reason }) => of === 'reaction' && reason === 'is by somebody unknown'))
})

test('Zulip: without its tables an archive is refused, and damage elsewhere costs what is damaged', async (t) => {
  const whole = exportOf(MESSAGES)
  await assert.rejects(
    read(t, { ...whole, 'realm.json': '{"zerver_realm": [' }),
    (error) => error instanceof ArchiveError && /^the archive is damaged: realm\.json /.test(error.message),
  )
  const { messages, remarks } = await read(t, { ...whole, 'attachment.json': '{"zerver_attachment": [' })
  assert.equal(messages.size, MESSAGES.length)
  assert.ok(remarks.some(({ of, id }) => of === 'entry' && id === 'attachment.json'))
  const nameless = { zerver_realm: [{ id: 1, string_id: '', uuid: '0b1e' }] }
  assert.equal((await read(t, exportOf(MESSAGES, nameless))).workspace, '0b1e')
})
