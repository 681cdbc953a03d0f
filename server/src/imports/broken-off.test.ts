import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSource } from '@parley/imports'
import { slackExport, writeZip } from '@parley/imports/testing'
import { sql } from 'kysely'
import { actingFor } from '../platform/actor.js'
import { type World, world } from '../testing/world.js'
import { runImport } from './run.js'
import type { Progress } from './stage.js'
import { archiveOf, bringIn, contents, sizes } from './testing-import.js'

const rowsOf = async (w: World) => JSON.parse((await contents(w)) ?? '')

/** What a crash of the database leaves of an unlogged table. */
const crash = ({ ctx }: World) => sql`truncate import_records`.execute(ctx.autocommit)

/** Imports until the first batch of a phase is written. */
function breakOff(w: World, archive: string, kind: string) {
  const onProgress = ({ phase }: Progress) => {
    if (phase === kind) throw new Error('broken off')
  }
  return assert.rejects(bringIn(w, archive, { onProgress }), /broken off/, kind)
}

test('an import that a crash of the database breaks off in every phase ends as if there had been none', async (t) => {
  const archive = await archiveOf(t, slackExport())
  const whole = await world(t)
  const kinds = new Set<string>()
  await bringIn(whole, archive, { onProgress: ({ phase }) => kinds.add(phase) })
  const wanted = await rowsOf(whole)
  const w = await world(t)
  for (const kind of kinds) {
    await breakOff(w, archive, kind)
    await crash(w)
    // A kill while the archive is read again.
    if (kind === 'message') await breakOff(w, archive, 'read')
  }
  await bringIn(w, archive)
  assert.deepEqual(await rowsOf(w), wanted)
})

test('a crash of the database that no statement notices ends the import, and the next run goes on', async (t) => {
  const w = await world(t)
  const archive = await archiveOf(t, slackExport())
  await bringIn(w, archive)
  const wanted = await rowsOf(w)
  const again = await world(t)
  const source = await openSource(archive, 'T1', {})
  const openFile = async (path: string) => {
    await crash(again)
    return source.openFile(path)
  }
  const actor = actingFor(again.owner.id, 'owner', 'corporation')
  const call = { archive, path: archive, options: {} }
  await assert.rejects(
    runImport(again.ctx, actor, { ...source, openFile }, call),
    /The database was restarted/,
  )
  await source.close()
  await bringIn(again, archive)
  assert.deepEqual(await rowsOf(again), wanted)
})

/** What an import leaves. What was written before a crash may count as merged after it, without its remarks. */
async function leavings(w: World) {
  const { counts, remarks, ...rows } = await rowsOf(w)
  const counted = Object.entries(counts as Record<string, Record<string, number>>).map(
    ([kind, { read, written = 0, merged = 0, skipped }]) => [kind, read, written + merged, skipped],
  )
  return { ...rows, counted }
}

test('an archive that was replaced is read as a new one after a crash, and nothing of it is written twice', async (t) => {
  const entries = slackExport()
  const more = { type: 'message', user: 'U2', ts: '1600000002.000000', text: 'said later' }
  const longer = {
    ...entries,
    'secret/2020-09-13.json': [...(entries['secret/2020-09-13.json'] as object[]), more],
  }
  const archive = await archiveOf(t, longer)
  const whole = await world(t)
  await bringIn(whole, archive)
  const wanted = await leavings(whole)
  const w = await world(t)
  const { events = 0 } = await sizes(w)
  await writeZip(archive, entries)
  await breakOff(w, archive, 'chat_member')
  await crash(w)
  await writeZip(archive, longer)
  await bringIn(w, archive)
  assert.deepEqual(await leavings(w), wanted)
  assert.equal((await sizes(w)).events, events + 1, 'clients are told to read anew')
})

test('an import that is broken off goes on with the choices that it began with, and no others', async (t) => {
  const w = await world(t)
  const archive = await archiveOf(t, slackExport())
  await breakOff(w, archive, 'person')
  const other = bringIn(w, archive, { options: { without_files: true } })
  await assert.rejects(other, /is not finished: run it again or undo it first/)
  assert.equal((await bringIn(w, archive)).state, 'done')
})
