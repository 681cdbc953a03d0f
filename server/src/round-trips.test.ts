import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as api from '@parley/contract'
import pg from 'pg'
import { world } from './testing/world.js'

/** Statements of every operation that reads, and of sending a plain message, beside the admission of the caller. */
const STATEMENTS: Record<string, number> = {
  getProfile: 1,
  getUser: 1,
  getChat: 1,
  getMessage: 3,
  listMessages: 0,
  listChatMembers: 3,
  listReactions: 3,
  listUnread: 1,
  listChats: 1,
  listUsers: 1,
  getSession: 2,
  getPreferences: 1,
  getStart: 1,
  listOwnChatCards: 3,
  listTimeline: 1,
  searchMessages: 2,
  createMessage: 1,
  'createMessage with a key': 1,
}

const TRIES = 10

/** Asked for the rights of callers, and to wake other processes: both by themselves and at times of their own. */
const BESIDE = /epoch|pg_notify/

/** The statements that are sent from now on, without those beside the operations. */
function watchStatements(t: TestContext): string[] {
  const asked: string[] = []
  const { query } = pg.Client.prototype
  t.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const { text = String(args[0]) } = args[0] as { text?: string }
    if (!BESIDE.test(text)) asked.push(text)
    return (query as (...args: unknown[]) => unknown).apply(this, args)
  })
  return asked
}

test('reads and sends ask the database as often as they must', async (t) => {
  const { alice, bob, office, as } = await world(t)
  const hello = { body: { message: { entity_id: office.id, content: 'hello' } } }
  const { data: message } = await alice.call(api.createMessage, hello)
  let keys = 0
  const newKey = () => {
    keys += 1
    return { idempotency_key: `key ${keys}` }
  }
  const web = await as(alice.id, { session: true })
  const reads = {
    getProfile: () => alice.call(api.getProfile),
    getUser: () => alice.call(api.getUser, { params: { id: bob.id } }),
    getChat: () => alice.call(api.getChat, { params: { id: office.id } }),
    getMessage: () => alice.call(api.getMessage, { params: { id: message.id } }),
    listMessages: () => alice.call(api.listMessages, { query: { chat_id: office.id } }),
    listChatMembers: () => alice.call(api.listChatMembers, { params: { id: office.id } }),
    listReactions: () => alice.call(api.listReactions, { params: { id: message.id }, query: {} }),
    listUnread: () => alice.call(api.listUnread, {}),
    listChats: () => alice.call(api.listChats, {}),
    listUsers: () => alice.call(api.listUsers, {}),
    getSession: () => web.call(api.getSession),
    getPreferences: () => web.call(api.getPreferences),
    getStart: () => web.call(api.getStart),
    listOwnChatCards: () => web.call(api.listOwnChatCards, {}),
    listTimeline: () => web.call(api.listTimeline, { params: { id: office.id } }),
    searchMessages: () => alice.call(api.searchMessages, { query: { query: 'hello' } }),
    createMessage: () => alice.call(api.createMessage, hello),
    'createMessage with a key': () => alice.call(api.createMessage, { ...hello, ...newKey() }),
  }
  const asked = watchStatements(t)
  for (const read of Object.values(reads)) await read()
  for (const [name, read] of Object.entries(reads)) {
    // A statement of the background may fall into a read: the fewest of several count.
    const tries: string[][] = []
    while (tries.length < TRIES && tries.at(-1)?.length !== STATEMENTS[name]) {
      asked.length = 0
      await read()
      tries.push([...asked])
    }
    const [fewest = []] = tries.sort((a, b) => a.length - b.length)
    assert.equal(fewest.length, STATEMENTS[name], `${name}:\n${fewest.join('\n')}`)
  }
})

test('reads of one moment share their statements, and each caller gets an answer of their own', async (t) => {
  const { alice, bob, mia, office } = await world(t)
  const people = Array.from({ length: 10 }, () => [alice, bob, mia]).flat()
  const profiles = () => Promise.all(people.map((person) => person.call(api.getProfile)))
  const chats = () =>
    Promise.all(people.map((person) => person.call(api.getChat, { params: { id: office.id } })))
  await profiles()
  const asked = watchStatements(t)
  for (const [n, { data }] of (await profiles()).entries()) assert.equal(data.id, people[n]?.id)
  for (const { data } of await chats()) assert.equal(data.id, office.id)
  // Each alone would take two statements: one for the caller's rights and one for the answer. How many share one depends on how
  // closely the requests follow each other.
  assert.ok(asked.length < people.length * 2, `${asked.length} statements`)
})
