import { readFileSync } from 'node:fs'
import {
  createBot,
  createChat,
  createCustomProperty,
  createDlpRule,
  createGroupTag,
  createMessage,
  createPersonalToken,
  createTask,
  createThread,
  createUser,
  orderExport,
  updateChat,
  updateRetention,
} from '@parley/contract'
import { admin } from '../words/en/admin.js'
import { bots } from '../words/en/bots.js'
import { settings } from '../words/en/settings.js'
import type { Stage } from './browser.js'

const ROUTES = new URL('../../src/app.tsx', import.meta.url)

/** The pane beside a chat, by the address. */
const PANELS = ['about', 'members', 'pins', 'files']

export interface Address {
  path: string
  /** Who may see what is there. */
  by: 'bob' | 'owner'
}

/** What runs the workspace, and what belongs to one person: the owner is shown every page of both. */
const OF_OWNER = /^\/(admin|settings)\//
/** Where nothing is to be found. */
export const NOWHERE = '/nowhere'

/** Names, mail addresses and periods of the length that a real workspace has. */
async function furnishForOwner(s: Stage) {
  const owner = await s.as(s.owner.id, { session: true })
  const user = {
    email: 'aleksandra.konstantinopolskaya-vyazemskaya@department.example.org',
    first_name: 'Aleksandra',
    last_name: 'Konstantinopolskaya-Vyazemskaya',
  }
  await s.owner.call(createUser, { body: { user } })
  const name = 'Preparation of the yearly meeting of all departments and their partners abroad'
  const { data: chat } = await s.alice.call(createChat, { body: { chat: { name, member_ids: [s.bob.id] } } })
  await s.alice.call(createMessage, {
    body: { message: { entity_id: chat.id, content: `Programme: ${name}` } },
  })
  await owner.call(createPersonalToken, { body: { name: 'Nightly report', scopes: ['chats:read'] } })
  await s.owner.call(orderExport, { body: { start_at: '2030-01-01', end_at: '2030-01-31' } })
  const days = { conversation: null, channel: 365, personal: null, thread: null }
  await owner.call(updateRetention, { body: { days } })
  await s.owner.call(createGroupTag, { body: { group_tag: { name: 'Night shift of the harbour' } } })
  const field = { entity_type: 'User', name: 'Date of the last examination', data_type: 'date' } as const
  await owner.call(createCustomProperty, { body: field })
  const conditions = { any: [{ type: 'regex', pattern: '[0-9]{4} [0-9]{4} [0-9]{4} [0-9]{4}' }] }
  const body = { conditions, action: { type: 'BLOCK_AND_AUDIT_LOG' } }
  await owner.call(createDlpRule, { body: { name: 'Numbers of cards', priority: 10, body } })
}

/** Every address of the router, with something to show at each; a route with a parameter needs an example here. */
export async function everyAddress(s: Stage): Promise<Address[]> {
  const say = (content: string, more: object = {}) =>
    s.alice.call(createMessage, { body: { message: { entity_id: s.office.id, content, ...more } } })
  const { data: root } = await say('Who has **the lantern**, @bob? `code`, https://example.org/')
  await say('I have\n```js\nconst lantern = true\n```', { parent_message_id: root.id })
  const { data: thread } = await s.alice.call(createThread, { params: { id: root.id } })
  await say('On the shelf', { entity_type: 'thread', entity_id: thread.id })
  await s.bob.call(createTask, { body: { task: { kind: 'call', content: 'Call the baker' } } })
  await furnishForOwner(s)
  const description =
    'Keys, post and visitors; what concerns the house itself belongs to the caretaker, who reads along here'
  await s.alice.call(updateChat, { params: { id: s.office.id }, body: { chat: { description } } })
  const { data: bot } = await s.bob.call(createBot, { body: { webhook: { name: 'Doorkeeper' } } })
  const chat = `/chats/${s.office.id}`
  const examples: Record<string, string[]> = {
    '/chats/:id': [
      chat,
      `${chat}?message=${root.id}`,
      `${chat}?thread=${thread.id}`,
      ...PANELS.map((panel) => `${chat}?panel=${panel}`),
      '/chats/999999',
    ],
    '/people/:id': [`/people/${s.alice.id}`],
    '/settings/:page?': Object.keys(settings.pages).map((page) => `/settings/${page}`),
    '/admin/:page?': Object.keys(admin.pages).map((page) => `/admin/${page}`),
    '/bots/:id': ['/bots/new', '/bots/catalogue'],
    '/bots/:id/:page': Object.keys(bots.pages).map((page) => `/bots/${bot.id}/${page}`),
    '/search': ['/search', '/search?q=lantern'],
    '/unsubscribe/:token': ['/unsubscribe/none'],
    '/meet/:room': ['/meet/office-0123'],
    '/full_exports/:id': ['/full_exports/1'],
    '/:page/:token?': ['/forgot', '/invite/1.none', '/reset/1.none'],
  }
  const patterns = [...readFileSync(ROUTES, 'utf8').matchAll(/<Route\s+path="([^"]+)"/g)].map(
    ([, path = '']) => path,
  )
  const lacking = patterns.filter((path) => path.includes(':') && !examples[path])
  if (lacking.length > 0) throw new Error(`addresses.ts has no example of ${lacking.join(', ')}`)
  const paths = [...patterns.flatMap((path) => examples[path] ?? [path]), NOWHERE]
  return paths.map((path) => ({ path, by: OF_OWNER.test(path) ? 'owner' : 'bob' }))
}
