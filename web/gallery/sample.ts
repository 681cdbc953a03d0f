import type { Start, TimelineMessage, User } from '@parley/contract'
import { USUAL } from '../src/notifications/state.js'
import type { LiveFrame } from '../src/platform/changes.js'
import { connection } from '../src/platform/live.js'
import { outbox } from '../src/platform/outbox.js'
import { apply } from '../src/store.js'
import { phase } from '../src/sync.js'
import { card, message, page, person } from '../src/testing/shapes.js'

const ME = 1
const today = (time: string) => new Date(`${new Date().toISOString().slice(0, 10)}T${time}:00`).toISOString()
const yesterday = (time: string) => new Date(Date.parse(today(time)) - 86_400_000).toISOString()

const people = [
  person(1, 'Anna Nyberg', { nickname: 'anna' }),
  person(2, 'Mira Kovač'),
  person(3, 'Денис Соколов'),
  person(4, 'Lena Ortiz', { status: { emoji: '🌴', title: 'Away', expires_at: null, away: true } }),
  person(5, 'Deploy helper', { bot: true }),
]

const chats = [
  card(1, {
    name: 'Release train',
    public: true,
    members_count: 26,
    may: ['write', 'pin'],
    last_message_at: today('10:40'),
  }),
  card(2, {
    name: 'Support desk',
    public: true,
    unread_count: 3,
    mention_count: 3,
    last_message_at: today('10:39'),
  }),
  card(3, { name: 'Design review', unread_count: 8, last_message_at: today('10:38') }),
  card(4, { name: 'Дежурство', public: true, last_message_at: today('10:37') }),
  card(5, { name: 'Hiring', last_message_at: today('10:36') }),
  card(6, { name: 'Lunch', public: true, last_message_at: today('10:35') }),
  card(7, { name: 'Announcements', kind: 'channel', unread_count: 1, last_message_at: today('09:00') }),
  card(8, { name: 'Incident feed', kind: 'channel', may: [] }),
  card(9, { name: 'Changelog with a name that is too long for the list', kind: 'channel' }),
  ...[2, 3, 4, 5].map((id, at) =>
    card(10 + id, {
      kind: 'personal',
      personal_user_id: id,
      unread_count: at === 0 ? 2 : 0,
      last_message_at: today(`08:5${9 - at}`),
    }),
  ),
]

const thread = {
  id: 70,
  chat_id: 70,
  replies_count: 3,
  last_reply_at: today('09:12'),
  last_replier_ids: [1, 4, 3],
  following: true,
  unread_count: 0,
}
const file = {
  key: 'k',
  width: null,
  height: null,
  measured_width: null,
  measured_height: null,
  duration_ms: null,
  preview_url: null,
  url: '#',
}
const said = (
  id: number,
  user_id: number,
  at: string,
  content: string,
  more: Partial<TimelineMessage> = {},
) => message(id, { user_id, content, created_at: at, changed_at: at, ...more })

const talk: TimelineMessage[] = [
  said(39, 2, yesterday('16:20'), '', {
    system: true,
    system_event: { kind: 'members_added', actor_id: 2, user_ids: [3, 4], users_count: 2, name: null },
  }),
  said(
    41,
    2,
    yesterday('16:41'),
    'The plan for 4.2 is below. Two things are still open: the upgrade note, and who watches the dashboards on Friday evening.',
    {
      files: [{ ...file, id: 1, name: 'release-plan-4.2.pdf', file_type: 'file', size: 1_400_000 }],
      reactions: [
        { code: '👍', name: null, count: 6, mine: true, user_ids: [1, 3, 4] },
        { code: '👀', name: null, count: 2, mine: false, user_ids: [3, 4] },
      ],
      thread,
    },
  ),
  said(
    42,
    3,
    today('09:04'),
    "Перенёс прогон миграций на четверг. Короткая проверка перед началом:\n```ts\nconst behind = await lagOf('replica-2')\nif (behind > 30) throw new Error(`replica is ${behind} s behind`)\n// otherwise go on\n```",
  ),
  said(43, 3, today('09:05'), 'Если всё спокойно, начинаем в 18:00.', { edited: true }),
  said(
    44,
    4,
    today('10:22'),
    '@anna could you take Friday? I wrote down what to look at: https://example.org/runbook',
    {
      mentioned: true,
      quoted: {
        id: 41,
        user_id: 2,
        content: 'who watches the dashboards on Friday evening',
        files_count: 0,
        deleted: false,
      },
      parent_message_id: 41,
      link_previews: [
        {
          message_id: 44,
          url: 'https://example.org/runbook',
          title: 'Watching a release',
          description: 'Four graphs, two thresholds, and whom to call when one of them is crossed.',
          image_url: null,
        },
      ],
    },
  ),
  said(
    45,
    5,
    today('10:31'),
    'Build `4.2.0-rc3` passed every check. Roll it out to the first ten machines?',
    {
      buttons: [
        [
          { text: 'Roll out', data: 'a' },
          { text: 'Choose machines…', data: 'b' },
          { text: 'Not now', data: 'c' },
        ],
      ],
    },
  ),
  said(46, 1, today('10:33'), 'Friday is fine. I will post the numbers here **every half hour**.'),
]

/** A workspace with people who talk, without a server. */
export function showSample(preferences: Record<string, unknown> = {}) {
  const user: User = {
    id: ME,
    first_name: 'Anna',
    last_name: 'Nyberg',
    nickname: 'anna',
    user_status: {
      emoji: '🎧',
      title: 'Focus until 15:00',
      expires_at: null,
      is_away: false,
      away_message: null,
    },
    email: 'anna@example.org',
    phone_number: null,
    department: null,
    title: null,
    role: 'user',
    suspended: false,
    invite_status: 'confirmed',
    inviter_id: null,
    list_tags: [],
    custom_properties: [],
    bot: false,
    sso: false,
    created_at: yesterday('09:00'),
    last_activity_at: today('10:30'),
    time_zone: null,
    image_url: null,
  }
  const start: Start = {
    position: '1',
    version: '1',
    user,
    role: 'user',
    workspace: {
      name: 'Harbour Works',
      time_zone: 'Europe/Berlin',
      plan: 'standard',
      may_create_integrations: false,
      may_create_personal_tokens: false,
    },
    may: [],
    preferences,
    notifications: { ...USUAL, chats: [{ chat_id: 6, level: 'nothing', muted_until: null }] },
    chats,
    next_chats: null,
    people,
    drafts: [],
    views: [],
    unread_threads: 2,
    notices_unread: 0,
  }
  apply({ type: 'started', start })
  apply({
    type: 'presence',
    people: [1, 2, 3, 4].map((user_id) => ({ user_id, presence: user_id === 4 ? 'away' : 'active' })),
  })
  apply({ type: 'page', chat_id: 1, place: 'fresh', page: page(talk, false) })
  const typing: LiveFrame = {
    type: 'typing.started',
    chat_id: 1,
    actor_id: 2,
    created_at: new Date(Date.now() + 60_000).toISOString(),
    payload: { user_id: 2 },
  }
  apply({ type: 'live', me: ME, frame: typing })
  outbox.value = [
    {
      key: 'k1',
      user_id: ME,
      queue: 'discussion:1',
      order: 1,
      name: 'createMessage',
      input: {
        body: {
          message: {
            entity_id: 1,
            content: 'And I will ask @support to keep the line short until we are done.',
          },
        },
      },
      made_at: today('10:34'),
      state: 'failed',
      code: 'unknown',
    },
  ]
  connection.value = 'online'
  phase.value = 'ready'
}
