import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage } from '@parley/contract'
import { sql } from 'kysely'
import { listEventsAfter, listViewers } from './live/queries.js'
import type { Tx } from './platform/db/index.js'
import { transaction } from './platform/db/transaction.js'
import { takePlaced } from './platform/events/relay-queries.js'
import { world } from './testing/world.js'
import { type Place, readNamed, readPlaced } from './timeline/page-queries.js'
import { listAround, readOwnFacts } from './timeline/shared-queries.js'
import { listTexts } from './timeline/text-queries.js'

/** After so many plans for the values at hand the database compares them with one for all values, and keeps that if it seems no dearer. */
const CUSTOM_PLANS = 5
const TIMES = 12

/** How often the statements of a connection were planned, for the values at hand and for all. */
async function plansOn(tx: Tx) {
  const { rows } = await sql<{ statement: string; custom: number; generic: number }>`
    select statement, custom_plans as custom, generic_plans as generic from pg_prepared_statements`.execute(
    tx,
  )
  return rows
}

test('what is asked with every message and every page of a timeline is not planned each time', async (t) => {
  const { ctx, alice, office, drain } = await world(t)
  const ids: number[] = []
  for (let n = 0; n < TIMES; n += 1) {
    const { data } = await alice.call(createMessage, {
      body: { message: { entity_id: office.id, content: `message ${n}` } },
    })
    ids.push(data.id)
  }
  await drain()
  await ctx.pool.query('vacuum analyze')
  const places: Place[] = [
    { kind: 'newest' },
    { kind: 'before', message_id: ids[6] as number },
    { kind: 'after', message_id: ids[6] as number },
    { kind: 'around', message_id: ids[6] as number },
    { kind: 'at', time: new Date(0) },
    { kind: 'first_unread' },
  ]
  const planned = await transaction(ctx, async (tx) => {
    const before = await plansOn(tx)
    for (let n = 1; n <= TIMES; n += 1) {
      const some = ids.slice(0, n)
      for (const place of places)
        await readPlaced(tx, alice.id, office.id, place, { older: n, newer: TIMES - n })
      await readNamed(tx, alice.id, some)
      await listTexts(tx, 'http://localhost', some)
      await listAround(tx, some)
      await readOwnFacts(tx, some, some)
      await listViewers(tx, [office.id, ...some], some)
      await listEventsAfter(tx, n, n)
      await takePlaced(tx, { limit: n })
    }
    const asked = (await plansOn(tx)).map(({ statement, custom, generic }) => {
      const known = before.find((one) => one.statement === statement)
      return { statement, custom: custom - (known?.custom ?? 0), generic: generic - (known?.generic ?? 0) }
    })
    return asked.filter(({ custom, generic }) => custom + generic >= TIMES)
  })
  assert.equal(planned.length, places.length + 7)
  for (const { statement, custom } of planned)
    assert.ok(custom <= CUSTOM_PLANS, `planned ${custom} times: ${statement}`)
})
