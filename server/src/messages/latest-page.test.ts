import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, createThread, deleteMessage, listMessages, updateMessage } from '@parley/contract'
import fc from 'fast-check'
import { actingFor } from '../platform/actor.js'
import { type AutocommitPool, type Pool, writeRows } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { readPaging } from '../platform/http/page.js'
import { upload } from '../testing/upload.js'
import { type Person, world } from '../testing/world.js'
import { createMessagePages, type MessagePages } from './list-page.js'
import { postSystemMessage } from './system.js'
import { saying } from './testing-saying.js'

type World = Awaited<ReturnType<typeof world>>
const DAY_MS = 86_400_000
const named = (id: number) => ({ params: { id } })
const acting = ({ id }: Person) => actingFor(id, 'user', 'corporation')

/** The latest page as a process with this cache answers it. */
async function readLatest({ ctx }: World, pages: MessagePages, who: Person, chatId: number, limit: number) {
  const paging = readPaging({ limit }, { list: listMessages.id, secret: ctx.secret, limit, per: 25 })
  return (await pages.read(acting(who), chatId, paging)).toString()
}

/** A pool that tells how many pages were read through it. */
function counting(pool: Pool) {
  const count = { pages: 0 }
  const query = (text: string, values: unknown[]) => {
    if (text.includes('with page as')) count.pages += 1
    return writeRows(pool as AutocommitPool, text, values).then((rows) => ({ rows }))
  }
  return { count, pool: Object.assign(Object.create(pool), { query }) as Pool }
}

test('a page that is kept takes new messages without being read again', async (t) => {
  const w = await world(t)
  const { ctx, alice, bob, office } = w
  const { data: first } = await alice.call(createMessage, saying(office.id, 'first'))
  const { count, pool } = counting(ctx.hot_pool)
  const pages = createMessagePages(ctx, pool)
  const read = async (limit = 3) => {
    const { data } = JSON.parse(await readLatest(w, pages, bob, office.id, limit))
    return data.map(({ content }: { content: string }) => content)
  }
  assert.deepEqual(await read(), ['first'])
  for (const text of ['second', 'third']) await alice.call(createMessage, saying(office.id, text))
  assert.deepEqual(await read(), ['third', 'second', 'first'])
  await alice.call(createMessage, { ...saying(office.id, 'fourth'), idempotency_key: 'fourth' })
  const key = await upload(alice, 'plan.txt')
  const files = [{ key, name: 'plan.txt', file_type: 'file', size: 1 }]
  await alice.call(createMessage, saying(office.id, 'fifth', { files }))
  assert.deepEqual(await read(), ['fifth', 'fourth', 'third'])
  assert.equal(count.pages, 1)

  await alice.call(updateMessage, { ...named(first.id), body: { message: { content: 'edited' } } })
  assert.deepEqual(await read(5), ['fifth', 'fourth', 'third', 'second', 'edited'])
  assert.deepEqual(await read(), ['fifth', 'fourth', 'third'])
  assert.equal(count.pages, 3)
  for (const text of ['6', '7', '8']) await alice.call(createMessage, saying(office.id, text))
  assert.deepEqual(await read(), ['8', '7', '6'])
  assert.equal(count.pages, 4, 'nothing was left of the kept one')
  ctx.resets.forgetKept()
  assert.deepEqual(await read(), ['8', '7', '6'])
  assert.equal(count.pages, 5)
})

const READS = ['read', 'read elsewhere'] as const
const WRITES = [
  'send',
  'send',
  'send three',
  'keyed',
  'file',
  'edit',
  'delete',
  'thread',
  'system',
  'days',
] as const
/** What is done to a message that is there. */
const CHANGES = new Set<string>(['edit', 'delete', 'thread'])
const step = fc.record({
  kind: fc.oneof(fc.constantFrom(...READS), fc.constantFrom(...WRITES)),
  chat: fc.nat(2),
  text: fc.constantFrom(
    'hello',
    '"quoted" \\',
    'Привет, 世界 🙂',
    'line\u2028\n',
    '{"a":[1,2]}',
    '],"meta":{',
    '\u0002',
  ),
  at: fc.nat(5),
  limit: fc.constantFrom(1, 2, 4, 50),
})
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Writes once, in one of these chats, as clients do it. */
function createWriter({ ctx, clock, alice }: World) {
  let number = 0
  const ways: Record<
    (typeof WRITES)[number],
    (chatId: number, ids: number[], step: Step) => Promise<unknown>
  > = {
    send: (chat, _, { text }) => alice.call(createMessage, saying(chat, text)),
    'send three': (chat, _, { text }) =>
      Promise.all([1, 2, 3].map((n) => alice.call(createMessage, saying(chat, text + n)))),
    keyed: (chat, _, { text }) =>
      alice.call(createMessage, { ...saying(chat, text), idempotency_key: `key ${++number}` }),
    async file(chat, _, { text }) {
      const files = [{ key: await upload(alice, 'a.txt'), name: 'a.txt', file_type: 'file', size: 1 }]
      await alice.call(createMessage, saying(chat, text, { files }))
    },
    edit: async (_chat, ids, { at, text }) =>
      ids[at] && alice.call(updateMessage, { ...named(ids[at]), body: { message: { content: text } } }),
    delete: async (_chat, ids, { at }) => ids[at] && alice.call(deleteMessage, named(ids[at])),
    thread: async (_chat, ids, { at }) => ids[at] && alice.call(createThread, named(ids[at])).catch(() => {}),
    system: (chat) =>
      transaction(ctx, (tx) =>
        postSystemMessage(tx, ctx, acting(alice), chat, { content: 'renamed', kind: 'chat_renamed' }),
      ),
    days: async () => clock.advance(3 * DAY_MS),
  }
  return ways
}

test('after any writes a kept page is the page that the database gives, byte by byte', async (t) => {
  const w = await world(t)
  const { ctx, clock, alice, bob, office } = w
  clock.freeze(true)
  const { data: hello } = await alice.call(createMessage, saying(bob.id, 'hello', { entity_type: 'user' }))
  const { data: topic } = await alice.call(createMessage, saying(office.id, 'topic'))
  const { data: thread } = await alice.call(createThread, named(topic.id))
  const chats = [office.id, hello.chat_id, thread.chat_id]
  const write = createWriter(w)
  const changeable = async (chat_id: number, kind: string) => {
    if (!CHANGES.has(kind)) return []
    const { data } = await alice.call(listMessages, { query: { chat_id, limit: 6 } })
    return data.filter(({ system }) => !system).map(({ id }) => id)
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 25 }), async (steps) => {
      const caches = [createMessagePages(ctx, ctx.hot_pool), createMessagePages(ctx, ctx.hot_pool)]
      const compare = async (cache: number, chatId: number, limit: number) => {
        for (const who of [alice, bob]) {
          const read = (pages: MessagePages) => readLatest(w, pages, who, chatId, limit)
          const kept = await read(caches[cache] as MessagePages)
          assert.equal(kept, await read(createMessagePages(ctx, ctx.hot_pool)))
        }
      }
      for (const next of steps) {
        const { kind, limit } = next
        const chatId = chats[next.chat] as number
        if (kind === 'read' || kind === 'read elsewhere') await compare(READS.indexOf(kind), chatId, limit)
        else await write[kind](chatId, await changeable(chatId, kind), next)
      }
      for (const chatId of chats) for (const cache of [0, 1]) await compare(cache, chatId, 4)
    }),
    { numRuns: 4, seed: 20_261_116 },
  )
})
