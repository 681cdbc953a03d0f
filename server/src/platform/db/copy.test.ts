import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { world } from '../../testing/world.js'
import { copyRows } from './copy.js'

const ODD = ['tab\there', 'two\nlines\r\n', 'back\\slash', '\\N', '\\.', '', 'ж😀', 'null', 'a\\tb']

test('rows that are copied come back as they were, whatever signs they hold', async (t) => {
  const { ctx } = await world(t)
  const rows = await ctx.autocommit.transaction().execute(async (tx) => {
    await sql`create temp table copied (n int, said text, kept jsonb, yes boolean) on commit drop`.execute(tx)
    const values = ODD.map((said, n) => ({ n, said, kept: { said }, yes: n % 2 === 0 }))
    await copyRows(tx, 'copied', ['n', 'said', 'kept', 'yes'], [...values, { n: 99, said: null }])
    return (await sql`select * from copied order by n`.execute(tx)).rows
  })
  const expected = ODD.map((said, n) => ({ n, said, kept: { said }, yes: n % 2 === 0 }))
  assert.deepEqual(rows, [...expected, { n: 99, said: null, kept: null, yes: null }])
})

test('a copy that is refused says why, rolls back, and leaves the connection as it was', async (t) => {
  const { ctx } = await world(t)
  const broken = ctx.autocommit.transaction().execute(async (tx) => {
    await sql`create temp table copied (n int) on commit drop`.execute(tx)
    await copyRows(tx, 'copied', ['n'], [{ n: 1 }, { n: 'many' }])
  })
  await assert.rejects(broken, { code: '22P02' })
  const { rows } = await sql<{ one: number }>`select 1 as one`.execute(ctx.autocommit)
  assert.deepEqual(rows, [{ one: 1 }])
})
