import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createMessage,
  createThread,
  deleteMessage,
  listMessages,
  type Message,
  updateMessage,
} from '@parley/contract'
import { createClient } from '@parley/sdk/contract'
import fc from 'fast-check'
import { pino } from 'pino'
import { actingFor } from '../platform/actor.js'
import { readConfig } from '../platform/config.js'
import { transaction } from '../platform/db/transaction.js'
import { startServer } from '../serve.js'
import { type Person, world } from '../testing/world.js'
import { postSystemMessage } from './system.js'
import { saying } from './testing-saying.js'

async function fill(person: Person, chat_id: number, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let index = 0; index < count; index += 1) {
    const { data } = await person.call(createMessage, saying(chat_id, `m${index}`))
    ids.push(data.id)
  }
  return ids
}

const idsOf = ({ data }: { data: Message[] }) => data.map(({ id }) => id)

test('the newest messages come first, fifty a page, both ways by cursor', async (t) => {
  const { alice, office } = await world(t)
  const ids = await fill(alice, office.id, 12)
  const newest = [...ids].reverse()
  const query = { chat_id: office.id, limit: 5 }
  const first = await alice.call(listMessages, { query })
  assert.deepEqual(idsOf(first), newest.slice(0, 5))
  assert.deepEqual([first.meta.paginate.has_next, first.meta.paginate.has_prev], [true, false])
  const second = await alice.call(listMessages, {
    query: { ...query, cursor: first.meta.paginate.next_page },
  })
  assert.deepEqual(idsOf(second), newest.slice(5, 10))
  const third = await alice.call(listMessages, {
    query: { ...query, cursor: second.meta.paginate.next_page },
  })
  assert.deepEqual(idsOf(third), newest.slice(10))
  assert.deepEqual([third.meta.paginate.has_next, third.meta.paginate.has_prev], [false, true])
  const back = await alice.call(listMessages, { query: { ...query, cursor: third.meta.paginate.prev_page } })
  assert.deepEqual(idsOf(back), newest.slice(5, 10))
  const more = await fill(alice, office.id, 8)
  const poll = await alice.call(listMessages, { query: { ...query, cursor: first.meta.paginate.prev_page } })
  assert.deepEqual(idsOf(poll), more.slice(0, 5).reverse())
  const rest = await alice.call(listMessages, { query: { ...query, cursor: poll.meta.paginate.prev_page } })
  assert.deepEqual(idsOf(rest), more.slice(5).reverse())
  const oldest = await alice.call(listMessages, { query: { ...query, order: 'asc' } })
  assert.deepEqual(idsOf(oldest), ids.slice(0, 5))
})

test('page numbers still work, and their page says how to go on by cursor', async (t) => {
  const { alice, office } = await world(t)
  const newest = (await fill(alice, office.id, 7)).reverse()
  const page = await alice.call(listMessages, { query: { chat_id: office.id, page: 2, per: 3 } })
  assert.deepEqual(idsOf(page), newest.slice(3, 6))
  const next = await alice.call(listMessages, {
    query: { chat_id: office.id, cursor: page.meta.paginate.next_page },
  })
  assert.deepEqual(idsOf(next), newest.slice(6))
  assert.deepEqual(
    idsOf(await alice.call(listMessages, { query: { chat_id: office.id, page: 9, per: 3 } })),
    [],
  )
})

test('who may not read is refused, and a chat that is none is not found', async (t) => {
  const { alice, bob, owner, admin, mia, bot, office, attic, news } = await world(t)
  await alice.call(createMessage, saying(news.id, 'open'))
  const read = (who: Person, chat_id: number) => who.call(listMessages, { query: { chat_id } })
  for (const who of [bob, owner, admin, bot]) assert.equal((await read(who, news.id)).data.length, 1)
  await assert.rejects(read(mia, news.id), { status: 403, code: 'not_authorized' })
  await assert.rejects(read(owner, office.id), { status: 403 })
  await assert.rejects(read(admin, office.id), { status: 403 })
  assert.deepEqual((await read(bob, attic.id)).data, [])
  await assert.rejects(read(alice, 999_999), { status: 404 })
  await assert.rejects(alice.call(listMessages, { query: {} as never }), { status: 400, code: 'required' })
  await assert.rejects(alice.call(listMessages, { query: { chat_id: office.id, sort: 'name' as never } }), {
    status: 400,
    code: 'in',
  })
  await assert.rejects(
    alice.call(listMessages, { query: { chat_id: office.id, cursor: 'AAAAAAAAAAAAAAAAAA' } }),
    {
      status: 400,
      code: 'invalid',
    },
  )
  await assert.rejects(alice.call(listMessages, { query: { chat_id: office.id, limit: 0 } }), { status: 400 })
})

test('the latest page is exact in every process after every change that it shows', async (t) => {
  const { alice, bob, office, ctx, clock } = await world(t)
  const config = readConfig({
    DATABASE_URL: ctx.config.database_url as string,
    PORT: '0',
    PARLEY_RATE_LIMITS: 'off',
    PARLEY_POOL_SIZE: '4',
    PARLEY_APP_URL: ctx.config.app_url,
  })
  const second = await startServer(config, { clock, log: pino({ level: 'silent' }) })
  t.after(() => second.stop())
  const elsewhere = createClient({ base_url: `${second.url}/v1`, token: bob.token })
  const query = { chat_id: office.id }
  const pages = async () => [
    await alice.call(listMessages, { query }),
    await elsewhere.call(listMessages, { query }),
    await bob.call(listMessages, { query }),
  ]
  const agree = async () => {
    const [one, two, three] = await pages()
    assert.deepEqual(one?.data, two?.data)
    assert.deepEqual(one?.data, three?.data)
    return one?.data as Message[]
  }
  assert.deepEqual(await agree(), [])
  const { data: said } = await alice.call(createMessage, saying(office.id, 'one'))
  assert.deepEqual(await agree(), [said])
  const keyed = await alice.call(createMessage, { ...saying(office.id, 'two'), idempotency_key: 'k' })
  assert.deepEqual(await agree(), [keyed.data, said])
  await alice.call(updateMessage, { params: { id: said.id }, body: { message: { content: 'edited' } } })
  assert.equal((await agree())[1]?.content, 'edited')
  const { data: thread } = await elsewhere.call(createThread, { params: { id: said.id } })
  assert.deepEqual((await agree())[1]?.thread, { id: thread.id, chat_id: thread.chat_id })
  await transaction(ctx, (tx) =>
    postSystemMessage(tx, ctx, actingFor(bob.id, 'user', 'corporation'), office.id, {
      content: 'renamed',
      kind: 'chat_renamed',
    }),
  )
  const withLine = await agree()
  assert.deepEqual([withLine[0]?.content, withLine[0]?.system], ['renamed', true])
  await alice.call(deleteMessage, { params: { id: said.id } })
  assert.equal((await agree()).length, 2)
})

test('pages keep their promise while others write and delete: nothing twice, nothing left out', async (t) => {
  const { alice, office } = await world(t)
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ kind: 'send' as const }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: fc.nat() }) },
    { weight: 3, arbitrary: fc.constant({ kind: 'page' as const }) },
  )
  const plan = fc.record({
    start: fc.integer({ min: 0, max: 12 }),
    limit: fc.integer({ min: 1, max: 5 }),
    order: fc.constantFrom('asc' as const, 'desc' as const),
    steps: fc.array(step, { minLength: 5, maxLength: 25 }),
  })
  await fc.assert(
    fc.asyncProperty(plan, async ({ start, limit, order, steps }) => {
      // What other runs left is gone from the list, but their ids stay below ours.
      const rest = await alice.call(listMessages, { query: { chat_id: office.id } })
      for (const { id } of rest.data) await alice.call(deleteMessage, { params: { id } })
      const alive = new Set(await fill(alice, office.id, start))
      const throughout = new Set(alive)
      const seen: number[] = []
      let cursor: string | undefined
      let done = false
      const turn = async () => {
        const query = { chat_id: office.id, limit, order, ...(cursor ? { cursor } : {}) }
        const page = await alice.call(listMessages, { query })
        seen.push(...idsOf(page))
        cursor = page.meta.paginate.next_page
        done = !page.meta.paginate.has_next
      }
      for (const next of steps) {
        if (next.kind === 'page') {
          if (!done) await turn()
        } else if (next.kind === 'send') {
          for (const id of await fill(alice, office.id, 1)) alive.add(id)
        } else {
          const id = [...alive][next.at % Math.max(1, alive.size)]
          if (id === undefined) continue
          await alice.call(deleteMessage, { params: { id } })
          alive.delete(id)
          throughout.delete(id)
        }
      }
      while (!done) await turn()
      assert.equal(new Set(seen).size, seen.length, 'nothing twice')
      const sorted = [...seen].sort((a, b) => (order === 'asc' ? a - b : b - a))
      assert.deepEqual(seen, sorted, 'in order')
      for (const id of throughout) assert.ok(seen.includes(id), `${id} was there all the time`)
    }),
    { numRuns: 25, seed: 20_260_504 },
  )
})

test('a limit over the maximum is cut, and the answer says so', async (t) => {
  const { url, alice, office } = await world(t)
  const headers = { Authorization: `Bearer ${alice.token}` }
  const ask = (limit: number) => fetch(`${url}/v1/messages?chat_id=${office.id}&limit=${limit}`, { headers })
  assert.equal((await ask(50)).headers.get('parley-ignored'), null)
  const cut = await ask(5000)
  assert.deepEqual([cut.status, cut.headers.get('parley-ignored')], [200, 'limit'])
})
