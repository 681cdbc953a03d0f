import { readFileSync } from 'node:fs'
import { createMessage, createTask, createThread } from '@parley/contract'
import type { Stage } from './browser.js'

const ROUTES = new URL('../../src/app.tsx', import.meta.url)

/** The pane beside a chat, by the address. */
const PANELS = ['about', 'members', 'pins', 'files']
const SETTINGS = ['profile', 'look', 'security', 'sessions', 'tokens', 'apps']

/** Every address of the router, with something to show at each; a route with a parameter needs an example here. */
export async function everyAddress(s: Stage): Promise<string[]> {
  const say = (content: string, more: object = {}) =>
    s.alice.call(createMessage, { body: { message: { entity_id: s.office.id, content, ...more } } })
  const { data: root } = await say('Who has **the lantern**, @bob? `code`, https://example.org/')
  await say('I have\n```js\nconst lantern = true\n```', { parent_message_id: root.id })
  const { data: thread } = await s.alice.call(createThread, { params: { id: root.id } })
  await say('On the shelf', { entity_type: 'thread', entity_id: thread.id })
  await s.bob.call(createTask, { body: { task: { kind: 'call', content: 'Call the baker' } } })
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
    '/settings/:page': SETTINGS.map((page) => `/settings/${page}`),
    '/admin/:page': ['/admin/people'],
    '/search': ['/search', '/search?q=lantern'],
    '/meet/:room': ['/meet/office-0123'],
    '/full_exports/:id': ['/full_exports/1'],
    '/:page/:token?': ['/forgot', '/invite/1.none', '/reset/1.none'],
  }
  const patterns = [...readFileSync(ROUTES, 'utf8').matchAll(/<Route\s+path="([^"]+)"/g)].map(
    ([, path = '']) => path,
  )
  const lacking = patterns.filter((path) => path.includes(':') && !examples[path])
  if (lacking.length > 0) throw new Error(`addresses.ts has no example of ${lacking.join(', ')}`)
  return [...patterns.flatMap((path) => examples[path] ?? [path]), '/nowhere']
}
