import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { rocketChatDump, writeMongoArchive } from '@parley/imports/testing'
import { retireShared } from '../testing/stage.js'
import { type World, world } from '../testing/world.js'
import { archiveOf, bringIn, contents } from './testing-import.js'
import { importKilled, longer } from './testing-kills.js'

/** The kinds of rows that are not the same in both. */
async function differences(one: World, other: World): Promise<string[]> {
  const [rows, wanted] = [await contents(one), await contents(other)].map((text) => JSON.parse(text ?? ''))
  return Object.keys(wanted).filter((kind) => JSON.stringify(rows[kind]) !== JSON.stringify(wanted[kind]))
}

test('an import whose process is killed again and again ends with the tables of one that was not', async (t) => {
  const killed = await world(t)
  retireShared()
  const whole = await world(t)
  const archive = join(await archiveOf(t, { x: '1' }), '..', 'dump.archive')
  await writeMongoArchive(archive, longer(rocketChatDump(), 4000), false)
  const { database_url, data_dir } = killed.ctx.config
  const kills = 3
  const where = { database_url: database_url ?? '', data_dir, archive }
  const done = await importKilled(where, { kills, steps: 12, random: Math.random })
  assert.equal(done, kills)
  await bringIn(whole, archive)
  assert.deepEqual(await differences(killed, whole), [])
})
