import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { world } from '../../testing/world.js'
import { type Autocommit, type Db, openPool, type Pool, type Tx, writeRows } from './index.js'

test('writes compile on a transaction and on a named autocommit alone', () => {
  // The type check judges these; none is called.
  const refused = [
    // @ts-expect-error
    (db: Db) => db.insertInto('pins'),
    // @ts-expect-error
    (db: Db) => db.updateTable('pins'),
    // @ts-expect-error
    (db: Db) => db.deleteFrom('pins'),
    // @ts-expect-error
    (db: Db) => db.transaction(),
    // @ts-expect-error
    (db: Db) => sql`delete from pins`.execute(db),
    // @ts-expect-error
    (pool: Pool) => writeRows(pool, 'delete from pins'),
    // @ts-expect-error
    (db: Autocommit): Tx => db,
  ]
  const allowed = [
    (tx: Tx): Db => tx,
    (tx: Tx) => sql`delete from pins`.execute(tx),
    (db: Autocommit) => db.deleteFrom('pins'),
  ]
  assert.equal(refused.length + allowed.length, 10)
})

test('of connections that nobody needs, as many stay open as are to be kept', async (t) => {
  const { ctx } = await world(t)
  const url = ctx.config.database_url as string
  const pool = openPool({ url, size: 3, idle_ms: 20, kept: 1, onError: assert.ifError })
  t.after(() => pool.end())
  const pidOf = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0].pid
  const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()])
  assert.equal(pool.totalCount, 3)
  const closed = new Promise((resolve) => {
    pool.on('remove', () => pool.totalCount === 1 && resolve(undefined))
  })
  for (const client of clients) client.release()
  await closed
  const pid = await pidOf()
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(pool.totalCount, 1)
  assert.equal(await pidOf(), pid)
})
