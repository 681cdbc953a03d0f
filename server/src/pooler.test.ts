import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, listChats, listMessages, searchMessages } from '@parley/contract'
import pg from 'pg'
import { readConfig } from './platform/config.js'
import { ConfigError } from './platform/config-readers.js'
import { preparePooler } from './platform/db/pooler.js'
import { everyWrite, send } from './testing/every-write.js'
import { findPgbouncer, type Pooler, startPgbouncer } from './testing/pgbouncer.js'
import { world } from './testing/world.js'

const program = await findPgbouncer()
const skip = program ? false : 'this machine has no pgbouncer (Debian: apt-get install pgbouncer)'

test('a pooler needs the address of the database itself as well', () => {
  const alone = () => readConfig({ DATABASE_POOLER_URL: 'postgres://parley@pooler:6432/parley' })
  assert.throws(alone, (error) => error instanceof ConfigError && /needs DATABASE_URL/.test(error.message))
})

test('every write and its dry run work through a pooler in transaction mode, whatever else its connections are used for', {
  skip,
}, async (t) => {
  let pooler: Pooler | undefined
  const scene = await world(t, {
    working: true,
    env: async (url) => {
      pooler = await startPgbouncer(program as string, url)
      return { DATABASE_POOLER_URL: pooler.url }
    },
  })
  // After the server has stopped.
  t.after(() => pooler?.stop())
  const { alice, office, owner } = scene
  const calls = await everyWrite(scene)
  const faults: string[] = []
  for (const call of calls) {
    const by = call.by ?? owner
    await Promise.all([alice.call(listChats), send(scene, by, call, 'true')])
    const { status, text } = await send(scene, by, call)
    if (status !== call.operation.returns.status) faults.push(`${call.operation.id}: ${status} ${text}`)
  }
  assert.deepEqual(faults, [])

  const texts = Array.from({ length: 40 }, (_, n) => `at once ${n}`)
  const atOnce = texts.map((content) => [
    alice.call(createMessage, { body: { message: { entity_id: office.id, content } } }),
    alice.call(searchMessages, { query: { query: 'hello' } }),
  ])
  await Promise.all(atOnce.flat())
  const { data } = await alice.call(listMessages, { query: { chat_id: office.id, limit: 50 } })
  assert.deepEqual(
    data.flatMap(({ content }) => (texts.includes(content) ? [content] : [])).sort(),
    texts.sort(),
  )

  const client = new pg.Client({ connectionString: pooler?.url })
  await client.connect()
  const { rows } = await client.query('select count(*)::int as named from pg_prepared_statements')
  await client.end()
  assert.deepEqual(rows, [{ named: 0 }])
})

test('a start is refused while the pooler gives connections without the settings they need', {
  skip,
}, async (t) => {
  const { server } = await world(t, { env: {} })
  const url = server.ctx.config.database_url as string
  const pooler = await startPgbouncer(program as string, url)
  t.after(() => pooler.stop())
  const client = new pg.Client({ connectionString: pooler.url })
  await client.connect()
  await client.query('select 1')
  await client.end()
  await assert.rejects(preparePooler(url, pooler.url), /have statement_timeout = 0, not 60000/)
})
