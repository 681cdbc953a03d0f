import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, searchMessages } from '@parley/contract'
import { sql } from 'kysely'
import type { Context } from '../platform/context.js'
import { read } from '../platform/db/index.js'
import { world } from '../testing/world.js'
import { warmUpSearch } from './warm-up.js'

/** The statements that are prepared on the connection of searches. */
async function prepared({ searches }: Context): Promise<string[]> {
  const rows = await searches.run((db) =>
    read(db, sql<{ statement: string }>`select statement from pg_prepared_statements`),
  )
  return rows.map(({ statement }) => statement)
}

test('after the searches that a server begins with, those of people have no statement to plan', async (t) => {
  const { ctx, alice, office } = await world(t)
  await alice.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'quarterly report about budgets' } },
  })
  await warmUpSearch(ctx)
  const before = await prepared(ctx)
  for (const query of [
    { query: 'report' },
    { query: 'about budgets' },
    { query: '"quarterly report"' },
    { query: 'bud' },
    { query: 'budgets', sort: 'relevance' as const },
  ]) {
    const { data } = await alice.call(searchMessages, { query })
    assert.equal(data.length, 1, query.query)
  }
  const known = new Set(before)
  assert.deepEqual(
    (await prepared(ctx)).filter((statement) => !known.has(statement)),
    [],
  )
})
