import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { openSource } from '@parley/imports'
import { slackExport } from '@parley/imports/testing'
import { sql } from 'kysely'
import { actingFor } from '../platform/actor.js'
import { world } from '../testing/world.js'
import { checkImport } from './check.js'
import { archiveOf } from './testing-import.js'

test('a check says by how much its own tables grow, whatever becomes of others meanwhile', async (t) => {
  const w = await world(t)
  const { autocommit } = w.ctx
  // Tests before this one may have left free space.
  await sql`truncate import_objects`.execute(autocommit)
  await sql`
    insert into loose_objects (key, due_at) select 'object-' || n, now() from generate_series(1, 20000) n`.execute(
    autocommit,
  )
  await sql`delete from loose_objects`.execute(autocommit)
  const lengthOf = async () => {
    const { rows } = await sql<{
      bytes: number
    }>`select pg_relation_size('loose_objects') as bytes`.execute(autocommit)
    return rows[0]?.bytes ?? 0
  }
  assert.ok((await lengthOf()) > 1_000_000)

  const archive = await archiveOf(t, slackExport())
  const opened = await openSource(archive, 'T1', {})
  t.after(() => opened.close())
  async function* whileAnotherTableShrinks() {
    // It leaves the pages that a statement beside it may still see.
    for (let left = 100; left > 0 && (await lengthOf()) > 0; left -= 1) {
      await sql`vacuum loose_objects`.execute(autocommit)
      await setTimeout(50)
    }
    yield* opened.records()
  }
  const source = Object.assign(Object.create(opened), { records: whileAnotherTableShrinks })
  const actor = actingFor(w.owner.id, 'owner', 'corporation')
  const { estimate } = await checkImport(w.ctx, actor, source, { archive, path: archive, options: {} })
  assert.equal(await lengthOf(), 0, 'the other table was shortened')
  const bytes = estimate?.database_bytes ?? 0
  assert.ok(bytes > 0 && bytes < 5_000_000, `${bytes}`)
})
