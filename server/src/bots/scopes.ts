import type { BotScopeCatalogue, ScopeName } from '@parley/contract'
import { scopesOf } from '../oauth/tokens.js'

/** Every scope that a token of a bot may hold. */
export const BOT_SCOPES: readonly ScopeName[] = scopesOf('bot')
const assignable: ReadonlySet<string> = new Set(BOT_SCOPES)

/** The ones that no bot may hold, `bot` and `all` among them. */
export function unassignable(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => !assignable.has(scope))
}

const GROUPS = [
  { id: 'chats', title: 'Chats', description: 'Chats, their settings and their members' },
  { id: 'messages', title: 'Messages', description: 'Messages, threads, reactions, pins and forms' },
  { id: 'users', title: 'Employees', description: 'Employees, their statuses and tags' },
  { id: 'tasks', title: 'Tasks', description: 'Tasks and custom fields' },
  { id: 'files', title: 'Files', description: 'Uploading and downloading files' },
  { id: 'search', title: 'Search', description: 'Search for employees, chats and messages' },
  { id: 'bot', title: 'The bot itself', description: 'Profile, token, webhook and events of the bot' },
] as const
type GroupId = (typeof GROUPS)[number]['id']

const TITLES: Partial<Record<ScopeName, readonly [GroupId, string]>> = {
  'chats:read': ['chats', 'See chats and lists of chats'],
  'chats:create': ['chats', 'Create chats'],
  'chats:update': ['chats', 'Change chat settings'],
  'chats:mark_unread': ['chats', 'Mark own chats unread'],
  'chats:archive': ['chats', 'Archive and unarchive chats'],
  'chats:leave': ['chats', 'Leave chats'],
  'chat_members:read': ['chats', 'See chat members'],
  'chat_members:write': ['chats', 'Add, change and remove chat members'],
  'messages:read': ['messages', 'Read messages and read receipts'],
  'messages:create': ['messages', 'Send messages'],
  'messages:update': ['messages', 'Edit messages'],
  'messages:delete': ['messages', 'Delete messages'],
  'reactions:read': ['messages', 'See reactions'],
  'reactions:write': ['messages', 'Add and remove own reactions'],
  'pins:write': ['messages', 'Pin and unpin messages'],
  'threads:read': ['messages', 'See threads'],
  'threads:create': ['messages', 'Create threads'],
  'link_previews:write': ['messages', 'Create link previews'],
  'views:write': ['messages', 'Open forms'],
  'users:read': ['users', 'See employees'],
  'user_status:read': ['users', 'See the status of an employee'],
  'group_tags:read': ['users', 'See tags'],
  'tasks:read': ['tasks', 'See tasks'],
  'tasks:create': ['tasks', 'Create tasks'],
  'tasks:update': ['tasks', 'Edit tasks'],
  'tasks:delete': ['tasks', 'Delete tasks'],
  'custom_properties:read': ['tasks', 'See custom field definitions'],
  'files:read': ['files', 'Download files'],
  'files:write': ['files', 'Manage files'],
  'uploads:write': ['files', 'Upload files'],
  'search:users': ['search', 'Search employees'],
  'search:chats': ['search', 'Search chats'],
  'search:messages': ['search', 'Search messages'],
  'profile:read': ['bot', 'See the own profile'],
  'profile_status:read': ['bot', 'See the own status'],
  'profile_status:write': ['bot', 'Set and clear the own status'],
  'profile_avatar:write': ['bot', 'Set and clear the own picture'],
  'bot_self:write': ['bot', 'Renew the own token'],
  'bot_self:webhook:write': ['bot', 'Change the own outgoing webhook'],
  'webhooks:read': ['bot', 'See webhooks'],
  'webhooks:write': ['bot', 'Change webhooks'],
  'webhooks:events:read': ['bot', 'Read the event queue'],
  'webhooks:events:delete': ['bot', 'Delete from the event queue'],
}

const isReading = (scope: string) => scope.endsWith(':read') || scope.startsWith('search:')

/** What may be given to tokens of a bot, in groups, with the sets that people usually pick. */
export function scopeCatalogue(): BotScopeCatalogue {
  return {
    scopes: BOT_SCOPES.map((id) => {
      const [group, title] = TITLES[id] ?? ['bot', id]
      return { id, title, group, preset: isReading(id) ? ['read-only', 'admin'] : ['admin'] }
    }),
    groups: GROUPS.map((group) => ({ ...group })),
    presets: [
      { id: 'read-only', title: 'Reading only' },
      { id: 'admin', title: 'Everything' },
    ],
  }
}
