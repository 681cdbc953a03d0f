import { PICTURE } from '../testing-picture.js'

/** An export with every trap: small, with a comment on the reason for each entry. */
export function slackExport(): Record<string, unknown> {
  const message = (ts: string, text: string, more: object = {}) => ({
    type: 'message',
    user: 'U1',
    ts,
    text,
    ...more,
  })
  return {
    'users.json': [
      {
        id: 'U1',
        name: 'anna',
        profile: { real_name: 'Anna Berg', email: 'Anna@Example.org', fields: { Xf1: { value: 'Oslo' } } },
        is_owner: true,
        tz: 'Europe/Oslo',
      },
      {
        id: 'U2',
        name: 'boris',
        profile: { first_name: 'Boris', last_name: 'K', email: 'boris@example.org', fields: [] },
      },
      // The same address in other letters: one person.
      {
        id: 'U3',
        name: 'boris.old',
        deleted: true,
        profile: { real_name: 'Boris Old', email: 'BORIS@example.org', fields: null },
      },
      {
        id: 'U4',
        name: 'gone',
        deleted: true,
        // The field of another person once more.
        profile: { real_name: 'Carl Gone', email: 'carl@example.org', fields: { Xf1: { value: 'Bergen' } } },
      },
      // No address: cannot sign in.
      {
        id: 'U5',
        name: 'here',
        profile: { real_name: 'Dora', display_name: 'here' },
        is_restricted: true,
        is_ultra_restricted: true,
      },
      { id: 'U6', name: 'ci', is_bot: true, profile: { real_name: 'CI', bot_id: 'B6' } },
    ],
    'channels.json': [
      {
        id: 'C1',
        name: 'général',
        created: '1500000000',
        creator: 'U1',
        is_archived: false,
        members: ['U1', 'U2', 'U3', 'U5', 'U9'],
        topic: { value: 'All &amp; sundry, ask <@U2> or <https://example.org/a?b=1&amp;c=2|the page>' },
        purpose: { value: '' },
        pins: [
          { id: '1600000001.000100', type: 'C', user: 'U2', created: 1600000100 },
          { id: 'F1', type: 'F' },
        ],
      },
      {
        id: 'C2',
        name: 'old',
        created: 1,
        creator: 'U77',
        is_archived: true,
        updated: 1600009999000,
        members: [],
      },
    ],
    'groups.json': [{ id: 'G1', name: 'secret', created: 1500000001, creator: 'U2', members: ['U1', 'U2'] }],
    'mpims.json': [
      {
        id: 'M1',
        name: 'mpdm-anna--boris--dora-1',
        created: 1500000002,
        creator: 'U1',
        members: ['U1', 'U2', 'U5'],
      },
    ],
    'dms.json': [
      { id: 'D1', created: 1500000003, members: ['U1', 'U2'] },
      { id: 'D2', created: 1500000004, members: ['U1'] },
    ],
    'integration_logs.json': [null],
    'général/2020-09-14.json': [
      // A reply lies in the file of its own day, here before that of its root.
      message('1600050000.000100', 'late reply', { user: 'U2', thread_ts: '1600000001.000100' }),
      message('1600050001.000100', 'orphan', { user: 'U2', thread_ts: '1500000000.000100' }),
    ],
    'général/2020-09-13.json': [
      message('1600000002.000300', 'second', { user: 'U9' }),
      message('1600000002.000200', 'first of the second'),
      message('1600000001.000100', '*root* <@U2> &lt;b&gt;', {
        thread_ts: '1600000001.000100',
        reactions: [
          { name: 'wave::skin-tone-4', users: ['U2', 'U1', 'U6'], count: 4 },
          { name: 'nosuch', users: ['U1'], count: 1 },
        ],
        edited: { user: 'U1', ts: '1600000060.000000' },
      }),
      message('1600000001.000100', 'the same time again'),
      {
        type: 'message',
        subtype: 'channel_join',
        user: 'U5',
        ts: '1600000003.000000',
        text: '<@U5> has joined the channel',
      },
      {
        type: 'message',
        subtype: 'bot_message',
        bot_id: 'B6',
        username: 'Build 7',
        ts: '1600000004.000000',
        text: 'failed',
        attachments: [{ title: 'Log', title_link: 'https://ci.example.org/7' }],
      },
      {
        type: 'message',
        subtype: 'bot_message',
        bot_id: 'B9',
        username: 'Unknown',
        ts: '1600000005.000000',
        text: 'hello',
      },
      {
        type: 'message',
        subtype: 'tombstone',
        user: 'USLACKBOT',
        hidden: true,
        ts: '1600000006.000000',
        text: 'This message was deleted.',
        thread_ts: '1600000006.000000',
      },
      message('1600000007.000000', 'under what was deleted', { thread_ts: '1600000006.000000', user: 'U4' }),
      message('1600000008.000000', 'told twice', {
        subtype: 'thread_broadcast',
        thread_ts: '1600000001.000100',
      }),
      message('1600000009.000000', '', {
        files: [
          { id: 'F1', name: '../../etc/pass\u0000wd.txt', size: 5, mode: 'hosted' },
          {
            id: 'F2',
            name: 'lost.png',
            size: 7,
            mode: 'hosted',
            url_private: 'https://files.example.org/F2?t=xoxe-secret-token',
          },
        ],
      }),
      message('1600000010.000000', 'elsewhere', {
        files: [{ id: 'F3', mode: 'external', title: 'Plan', url_private: 'https://docs.example.org/plan' }],
      }),
      message('1600000011.000000', 'short', {
        blocks: [
          {
            type: 'rich_text',
            elements: [
              {
                type: 'rich_text_section',
                elements: [
                  { type: 'text', text: 'rich ' },
                  { type: 'text', text: '2*3*4 <b>', style: { bold: true } },
                ],
              },
              {
                type: 'rich_text_list',
                style: 'ordered',
                elements: [{ type: 'rich_text_section', elements: [{ type: 'user', user_id: 'U1' }] }],
              },
            ],
          },
        ],
      }),
      { type: 'message', ts: 'never', user: 'U1', text: 'no time' },
      { type: 'message', subtype: 'message_changed', ts: '1600000012.000000' },
      message('1600000013.000000', 'x'.repeat(50_000)),
      null,
    ],
    'général/2020-09-15.json': '[{"type": "message", "ts": ',
    'général/canvas_in_the_conversation.json': [],
    'secret/2020-09-13.json': [message('1600000001.000000', 'only us', { user: 'U2' })],
    'mpdm-anna--boris--dora-1/2020-09-13.json': [message('1600000001.000000', 'three of us')],
    'D1/2020-09-13.json': [message('1600000001.000000', 'hi <@U2>')],
    'D2/2020-09-13.json': [message('1600000001.000000', 'note to self')],
    'nobody/2020-09-13.json': [message('1600000001.000000', 'no record of this chat')],
    '__uploads/F1/passwd.txt': Buffer.from('12345'),
    '__avatars/U1/anna.png': PICTURE,
    '__avatars/U6/broken.png': Buffer.from('no picture'),
    '__MACOSX/._users.json': 'x',
  }
}
