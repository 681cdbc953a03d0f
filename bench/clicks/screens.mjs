const SETTINGS = ['profile', 'notifications', 'look', 'tokens', 'apps', 'security', 'sessions', 'approvals']
const ADMIN = [
  ...[
    'people',
    'tags',
    'fields',
    'chats',
    'tokens',
    'audit',
    'dlp',
    'exports',
    'import',
    'retention',
    'workspace',
  ],
  ...['sign-in', 'usage', 'limits', 'health'],
]

/** Where somebody begins who does not come by a link. */
export const SCREENS = [
  ...['/', '/chats/1', '/threads', '/unread', '/tasks', '/later', '/people', '/browse', '/notices', '/new'],
  ...['/bots', '/bots/new', '/search?q=w'],
  ...SETTINGS.map((page) => `/settings/${page}`),
  ...ADMIN.map((page) => `/admin/${page}`),
]
