import type { Static } from 'typebox'
import { Enum } from './shapes.js'

/** Who may hold a scope. `bot` is a bot token; the rest are workspace roles. */
export type Role = 'owner' | 'admin' | 'user' | 'multi_guest' | 'bot'

export const EVERYONE = ['owner', 'admin', 'user', 'multi_guest', 'bot'] as const satisfies readonly Role[]
export const EMPLOYEES_AND_BOTS = ['owner', 'admin', 'user', 'bot'] as const satisfies readonly Role[]
export const PEOPLE = ['owner', 'admin', 'user', 'multi_guest'] as const satisfies readonly Role[]
export const EMPLOYEES = ['owner', 'admin', 'user'] as const satisfies readonly Role[]
export const ADMINS = ['owner', 'admin'] as const satisfies readonly Role[]
export const OWNER = ['owner'] as const satisfies readonly Role[]
export const BOTS = ['bot'] as const satisfies readonly Role[]
export const NO_TOKEN = [] as const satisfies readonly Role[]

/** The closed list of scopes, each with the callers that may hold it. */
export const SCOPES = {
  'chats:read': EVERYONE,
  'chats:create': EMPLOYEES_AND_BOTS,
  'chats:update': EVERYONE,
  'chats:mark_unread': EVERYONE,
  'chats:archive': EVERYONE,
  'chats:leave': EMPLOYEES_AND_BOTS,
  'chat_members:read': EVERYONE,
  'chat_members:write': EVERYONE,
  'chat_exports:read': OWNER,
  'chat_exports:write': OWNER,
  'messages:read': EVERYONE,
  'messages:create': EVERYONE,
  'messages:update': EVERYONE,
  'messages:delete': EVERYONE,
  'reactions:read': EVERYONE,
  'reactions:write': EVERYONE,
  'pins:write': EVERYONE,
  'threads:read': EVERYONE,
  'threads:create': EVERYONE,
  'link_previews:write': EMPLOYEES_AND_BOTS,
  'drafts:read': PEOPLE,
  'drafts:write': PEOPLE,
  'users:read': EVERYONE,
  'users:create': ADMINS,
  'users:update': ADMINS,
  'users:delete': ADMINS,
  'group_tags:read': EVERYONE,
  'group_tags:write': ADMINS,
  'bots:read': EMPLOYEES,
  'bots:write': EMPLOYEES,
  'bot_self:webhook:write': BOTS,
  'bot_self:write': BOTS,
  'profile:read': EVERYONE,
  'profile_status:read': EVERYONE,
  'profile_status:write': EVERYONE,
  'profile_avatar:write': EVERYONE,
  'user_status:read': EVERYONE,
  'user_status:write': ADMINS,
  'user_avatar:write': ADMINS,
  'custom_properties:read': EVERYONE,
  'audit_events:read': OWNER,
  'company_chats:read': OWNER,
  'company_bots:read': OWNER,
  'tasks:read': EVERYONE,
  'tasks:create': EVERYONE,
  'tasks:update': EVERYONE,
  'tasks:delete': EVERYONE,
  'files:read': EVERYONE,
  'files:write': EMPLOYEES_AND_BOTS,
  'uploads:write': EVERYONE,
  'views:write': EVERYONE,
  'webhooks:read': EMPLOYEES_AND_BOTS,
  'webhooks:write': EMPLOYEES_AND_BOTS,
  'webhooks:events:read': EMPLOYEES_AND_BOTS,
  'webhooks:events:delete': EMPLOYEES_AND_BOTS,
  'search:users': EVERYONE,
  'search:chats': EVERYONE,
  'search:messages': EVERYONE,
} as const satisfies Record<string, readonly Role[]>

export type ScopeName = keyof typeof SCOPES
export const SCOPE_NAMES = Object.keys(SCOPES) as ScopeName[]

export const Scope = Enum(SCOPE_NAMES)
export type Scope = Static<typeof Scope>
