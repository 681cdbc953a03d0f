import { Type } from 'typebox'
import { CompanyBot } from './bots.js'
import { Chat, ChatActivity } from './chats.js'
import { operation } from './operation.js'
import { OWNER } from './scopes.js'
import { annotated, Cursor, Limit, Page } from './shapes.js'

export const listCompanyChats = operation({
  id: 'listCompanyChats',
  area: 'Workspace',
  summary: 'All conversations and channels of the workspace',
  access:
    'Workspace owner only. Each call is logged as company_chats_accessed. No personal chats, no threads.',
  method: 'GET',
  path: '/company/chats',
  scope: 'company_chats:read',
  plan: 'corporation',
  roles: OWNER,
  rate: 'company',
  query: Type.Object({
    activity: Type.Optional(annotated(ChatActivity, { description: 'Absent means both.' })),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(Chat) },
  problems: { 400: [] },
})

export const listCompanyBots = operation({
  id: 'listCompanyBots',
  area: 'Workspace',
  summary: 'All bots of the workspace',
  access: 'Workspace owner only. Each call is logged as company_bots_accessed.',
  method: 'GET',
  path: '/company/bots',
  scope: 'company_bots:read',
  plan: 'corporation',
  roles: OWNER,
  rate: 'company',
  query: Type.Object({
    query: Type.Optional(Type.String({ description: 'Part of the name.' })),
    limit: Type.Optional(Limit(50)),
    cursor: Type.Optional(Cursor),
  }),
  returns: { status: 200, body: Page(CompanyBot) },
  problems: { 400: [] },
})
