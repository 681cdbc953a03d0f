import { PICTURE } from '../testing-picture.js'

/** An export with every trap: small, and each row there for a reason. */
export function zulipExport(): Record<string, unknown> {
  const at = 1_600_000_000
  const person = (id: number, full_name: string, more: object = {}) => ({
    id,
    full_name,
    email: `user${id}@zulip.example.org`,
    delivery_email: `${full_name.split(' ')[0]?.toLowerCase()}${id}@example.org`,
    role: 400,
    is_active: true,
    is_bot: false,
    api_key: 'planted-secret',
    password: 'planted-secret',
    ...more,
  })
  const message = (
    id: number,
    sender: number,
    recipient: number,
    subject: string,
    content: string,
    more: object = {},
  ) => ({
    id,
    sender,
    recipient,
    subject,
    content,
    date_sent: at + id + 0.25,
    last_edit_time: null,
    rendered_content: '<p>ignored</p>',
    ...more,
  })
  return {
    'realm.json': {
      zerver_realm: [{ id: 1, string_id: 'acme', name: 'Acme', zoom_client_secret: 'planted-secret' }],
      zerver_service: [
        { id: 1, user_profile: 20, token: 'planted-secret', base_url: 'https://a.org/planted-secret' },
      ],
      zerver_userprofile: [
        person(10, 'Iris Lund', { role: 100, timezone: 'Europe/Oslo' }),
        person(11, 'Olaf Berg'),
        // The same full name twice: the bare form names the one who is in the chat.
        person(12, 'Olaf Berg', { is_active: false }),
        person(13, 'Gus Guest', { role: 600 }),
        person(20, 'Weather', { is_bot: true, bot_type: 1 }),
      ],
      zerver_userprofile_mirrordummy: [person(14, 'Did Not Agree', { is_mirror_dummy: true })],
      zerver_userprofile_crossrealm: [{ id: 1, email: 'notification-bot@zulip.com' }],
      zerver_stream: [
        {
          id: 1,
          name: 'general',
          description: 'Everything',
          invite_only: false,
          date_created: at,
          creator: 10,
        },
        { id: 2, name: '!!DEACTIVATED:old', invite_only: true, deactivated: true },
      ],
      zerver_recipient: [
        { id: 100, type: 2, type_id: 1 },
        { id: 101, type: 2, type_id: 2 },
        { id: 102, type: 1, type_id: 11 },
        { id: 103, type: 3, type_id: 5 },
        { id: 104, type: 3, type_id: 6 },
      ],
      zerver_subscription: [
        ...[10, 11, 13].map((user_profile) => ({ user_profile, recipient: 100, active: true })),
        { user_profile: 12, recipient: 100, active: false },
        ...[10, 11].map((user_profile) => ({ user_profile, recipient: 103, active: true })),
        ...[10, 11, 14].map((user_profile) => ({ user_profile, recipient: 104, active: true })),
      ],
      zerver_reaction: [
        {
          user_profile: 11,
          message: 2,
          emoji_name: 'heart',
          emoji_code: '2764',
          reaction_type: 'unicode_emoji',
        },
        {
          user_profile: 11,
          message: 2,
          emoji_name: 'zulip',
          emoji_code: 'zulip',
          reaction_type: 'zulip_extra_emoji',
        },
      ],
      zerver_namedusergroup: [
        { id: 30, usergroup_ptr: 30, name: 'devs', is_system_group: false },
        { id: 31, usergroup_ptr: 31, name: 'role:owners', is_system_group: true },
      ],
      zerver_usergroupmembership: [{ user_group: 30, user_profile: 10 }],
      zerver_customprofilefield: [
        { id: 1, name: 'Team', field_type: 3, field_data: '{"0": {"text": "Blue"}}' },
      ],
      zerver_customprofilefieldvalue: [{ user_profile: 10, field: 1, value: '0' }],
    },
    'messages-000001.json': {
      zerver_message: [
        message(
          1,
          10,
          100,
          '',
          'no topic, **bold** and @**Olaf Berg|11**, @**Olaf Berg**, @*devs*, @**all**',
        ),
        message(2, 11, 100, 'Lunch', 'first of #**general>Lunch@2** `@**Olaf Berg|11**`'),
        message(3, 10, 100, '✔ lunch', '/me eats <time:2020-09-13T12:00:00Z>'),
        message(4, 14, 100, 'Lunch', '```quote\nsaid\n```\nanswer [menu.txt](/user_uploads/1/ab/menu.txt)'),
        message(5, 20, 100, 'Lunch', '```spoiler Guess\nsun\n```'),
      ],
      zerver_usermessage: [{ user_profile: 10, message: 1, flags_mask: 1 }],
    },
    'messages-000002.json': {
      zerver_message: [
        // Old and new ways to write to one person: one chat.
        message(6, 10, 102, '', 'old way'),
        message(7, 11, 103, '\u0007', 'new way'),
        message(8, 10, 104, '', 'three of us'),
        message(9, 10, 100, 'Files', '[menu.txt](/user_uploads/1/ab/menu.txt)'),
        message(10, 99, 100, '', 'by nobody'),
      ],
      zerver_usermessage: [],
    },
    'messages-000003.json': '{"zerver_message": [{',
    'attachment.json': {
      zerver_attachment: [
        {
          file_name: 'menu.txt',
          path_id: '1/ab/menu.txt',
          owner: 14,
          size: 4,
          create_time: at,
          messages: [4, 9],
        },
      ],
    },
    'uploads/1/ab/menu.txt': Buffer.from('soup'),
    'avatars/records.json': [
      { path: '1/iris.png', s3_path: '1/iris.png', user_profile_id: 10 },
      { path: '1/iris.original', s3_path: '1/iris.original', user_profile_id: 10 },
      { path: '1/weather.png', s3_path: '1/weather.png', user_profile_id: 20 },
      // No picture at all, and one that is not there.
      { path: '1/olaf.png', s3_path: '1/olaf.png', user_profile_id: 11 },
      { path: '1/gone.png', s3_path: '1/gone.png', user_profile_id: 12 },
    ],
    'avatars/1/iris.png': Buffer.from('a small one, which is not taken'),
    'avatars/1/iris.original': PICTURE,
    'avatars/1/weather.png': PICTURE,
    'avatars/1/olaf.png': Buffer.from('<svg onload="alert(1)"/>'),
    'migration_status.json': {},
  }
}
