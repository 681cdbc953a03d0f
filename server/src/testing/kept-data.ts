import * as api from '@parley/contract'
import type { Client } from '@parley/sdk/contract'
import { upload } from './upload.js'
import type { World } from './world.js'

type Who = 'owner' | 'alice' | 'bot'

/** What a version answered about the data that is kept of it. */
export interface KeptData {
  version: string
  /** The time of its server when it was kept. */
  at: string
  tokens: Record<Who, string>
  file: { message_id: number; content: string }
  readings: { as: Who; path: string; facts: unknown }[]
}

/** Facts that were stored; other fields of an answer may change with a version. */
const FACTS = new Set(
  'id name email nickname first_name role chat_id user_id message_id content code event_key created_at due_at title list_tags member_ids'.split(
    ' ',
  ),
)

/** An answer with its stored facts alone. */
export function factsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(factsOf)
  if (typeof value !== 'object' || value === null) return value
  const isPlain = (inner: unknown) => typeof inner !== 'object' || inner === null
  const entries = Object.entries(value).filter(
    ([key, inner]) => FACTS.has(key) || !(isPlain(inner) || (Array.isArray(inner) && inner.every(isPlain))),
  )
  return Object.fromEntries(entries.map(([key, inner]) => [key, factsOf(inner)]))
}

/** Where an answer lacks something that was kept, or has another value; additional fields are no fault. */
export function lostFacts(kept: unknown, now: unknown, at = ''): string[] {
  if (typeof kept !== 'object' || kept === null) return kept === now ? [] : [`${at}: ${kept} became ${now}`]
  if (typeof now !== 'object' || now === null) return [`${at} is gone`]
  return Object.entries(kept).flatMap(([key, value]) =>
    lostFacts(value, (now as Record<string, unknown>)[key], `${at}.${key}`),
  )
}

export async function read(url: string, token: string, path: string): Promise<unknown> {
  const answer = await fetch(`${url}/v1${path}`, { headers: { Authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}

const TEXTS = ['Good morning, everybody', 'Доброе утро, коллеги', 'The build is green again, well done']

/** Something of everything that people make: messages, a thread, a file, reactions, a pin, tags, tasks, drafts, a bot. */
export async function fill({ alice, bob, bot, owner, office, drain }: World) {
  const say = async (person: Client, entity_id: number, content: string, more: object = {}) =>
    (await person.call(api.createMessage, { body: { message: { entity_id, content, ...more } } })).data
  const [first] = [await say(alice, office.id, TEXTS[0]!)]
  for (const text of TEXTS.slice(1)) await say(bob, office.id, text)
  const { data: thread } = await alice.call(api.createThread, { params: { id: first.id } })
  await say(bob, thread.id, 'An answer in the thread', { entity_type: 'thread' })
  const content = 'Minutes of the meeting\n'
  const key = await upload(alice, 'minutes.txt', content)
  const files = [{ key, name: 'minutes.txt', file_type: 'file', size: content.length }]
  const withFile = await say(alice, office.id, 'Here they are', { files })
  await say(alice, bob.id, 'A note between two', { entity_type: 'user' })
  await say(bot, office.id, 'Press it', { buttons: [[{ text: 'Yes', data: 'yes' }]] })
  await bob.call(api.addReaction, { params: { id: first.id }, body: { code: '👍' } })
  await alice.call(api.pinMessage, { params: { id: first.id } })
  const { data: tag } = await owner.call(api.createGroupTag, { body: { group_tag: { name: 'Sales' } } })
  await owner.call(api.updateUser, { params: { id: bob.id }, body: { user: { list_tags: ['Sales'] } } })
  const due_at = '2099-01-02T09:00:00Z'
  const task = { kind: 'reminder', content: 'Call back', due_at, priority: 2 } as const
  const { data: made } = await alice.call(api.createTask, { body: { task } })
  const draft = { entity_type: 'discussion', entity_id: office.id, content: 'Not sent yet' } as const
  await alice.call(api.createDraft, { body: { draft } })
  await drain()
  return {
    file: { message_id: withFile.id, content },
    paths: [
      // First, because reading is recorded too.
      ['owner', '/audit_events'],
      ['owner', '/users'],
      ['owner', '/company/chats'],
      ['owner', `/group_tags/${tag.id}/users`],
      ['alice', '/chats'],
      ['alice', `/chats/${office.id}/members`],
      ['alice', `/messages?chat_id=${office.id}`],
      ['alice', `/messages?chat_id=${thread.chat_id}`],
      ['alice', `/messages/${first.id}/reactions`],
      ['alice', `/chats/${office.id}/pins`],
      ['alice', `/tasks/${made.id}`],
      ['alice', '/drafts'],
      ['alice', `/bots/${bot.id}`],
      ['alice', '/search/messages?query=build'],
      ['bot', '/profile'],
    ] satisfies [Who, string][],
  }
}
