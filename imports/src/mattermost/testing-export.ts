import { PICTURE } from '../testing-picture.js'

/** A bulk export with every trap: small, and each line there for a reason. */
export function mattermostExport(): Record<string, unknown> {
  const at = 1_600_000_000_000
  const post = (user: string, message: string, create_at: number, more: object = {}) => ({
    type: 'post',
    post: {
      team: 'main',
      channel: 'town-square',
      user,
      message,
      create_at,
      reactions: null,
      replies: null,
      attachments: null,
      ...more,
    },
  })
  const user = (username: string, more: object = {}) => ({
    type: 'user',
    user: {
      username,
      email: `${username}@example.org`,
      auth_service: 'ldap',
      auth_data: 'planted-secret',
      roles: 'system_user',
      teams: [
        {
          name: 'main',
          roles: 'team_user',
          channels: [{ name: 'town-square', roles: 'channel_user', urgend_mention_count: 1 }],
        },
      ],
      ...more,
    },
  })
  const lines: unknown[] = [
    { type: 'version', version: 1, info: { generator: 'mattermost-server' } },
    { type: 'role', role: { name: 'x' } },
    { type: 'team', team: { name: 'main', display_name: 'Main', type: 'O' } },
    { type: 'team', team: { name: 'other', display_name: 'Other', type: 'O' } },
    {
      type: 'channel',
      channel: {
        team: 'main',
        name: 'town-square',
        display_name: 'Town Square',
        type: 'O',
        header: 'All of us',
        purpose: '',
      },
    },
    // The same name in another team.
    {
      type: 'channel',
      channel: { team: 'other', name: 'town-square', display_name: 'Town Square', type: 'O', deleted_at: at },
    },
    { type: 'channel', channel: { team: 'main', name: 'closed', display_name: 'Closed', type: 'P' } },
    user('ann', {
      roles: 'system_user system_admin',
      first_name: 'Ann',
      position: 'Lead',
      profile_image: 'users/ann/profile.png',
    }),
    user('ben.k', { first_name: 'Ben', profile_image: 'users/ben/not-there.png' }),
    user('gone', { delete_at: at }),
    user('guest', { roles: 'system_guest' }),
    user('aside', { teams: null }),
    // A name in both kinds of lines: a bot.
    user('builder'),
    { type: 'bot', bot: { username: 'builder', display_name: 'Builder', owner: 'com.plugin' } },
    post('ben.k', 'late root', at + 5000, {
      replies: [
        {
          user: 'ann',
          message: 'before its root',
          create_at: at + 4000,
          reactions: [{ user: 'ben.k', create_at: at + 6000, emoji_name: '+1' }],
        },
      ],
      is_pinned: true,
      // A member of the channel, somebody outside, and somebody who is gone.
      thread_followers: [{ user: 'guest' }, { user: 'aside' }, { user: 'nobody' }],
    }),
    post(
      'ann',
      '**Hi** @ben.k. see ~closed, ~nowhere and @channel :wave:\n> quoted\n```js\nlet a = 1\n```',
      at + 1000,
      {
        attachments: [{ path: '20200913/teams/t/f1/no\u0308te.txt' }, { path: '../../etc/passwd' }],
        edit_at: at + 1500,
      },
    ),
    post('removed', 'by nobody described', at + 2000),
    post('builder', 'one', at + 3000),
    post('builder', 'two', at + 3000, {
      props: {
        override_username: 'Nightly',
        override_icon_url: 'https://ci.example.org/n.png?key=planted-secret',
      },
    }),
    post('ann', 'build failed', at + 3500, { props: { from_webhook: 'true', override_username: 'CI' } }),
    post('ann', '', at + 3600, {
      type: 'slack_attachment',
      props: '{"attachments": [{"title": "Report", "text": "*all* good"}]}',
    }),
    post('ben.k', 'ben.k joined the channel.', at + 500, { type: 'system_join_channel' }),
    post('ann', 'no time', 0),
    post('ann', 'of the year 2500', 16_725_225_600_000),
    post('ann', 'waves', at + 3700, { type: 'me' }),
    // Two posts of one person in one millisecond, and one of them twice.
    post('ann', 'three', at + 3800),
    post('ann', 'four', at + 3800),
    post('ann', 'four', at + 3800),
    { type: 'direct_channel', direct_channel: { members: ['ann', 'guest'] } },
    {
      type: 'direct_post',
      direct_post: { channel_members: ['ben.k', 'ann'], user: 'ann', message: 'hello', create_at: at },
    },
    {
      type: 'direct_post',
      direct_post: {
        channel_members: ['ben.k', 'ann', 'gone'],
        user: 'ann',
        message: 'three',
        create_at: at,
      },
    },
    { type: 'emoji', emoji: { name: 'party', image: 'data/emoji/party' } },
    { type: 'playbook', playbook: {} },
  ]
  return {
    'import.jsonl': `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"type": "post", broken\n`,
    'data/20200913/teams/t/f1/nöte.txt': Buffer.from('note'),
    'data/users/ann/profile.png': PICTURE,
  }
}
