import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Autocommit, type Db, type Pool, type Tx, writeRows } from './index.js'

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
