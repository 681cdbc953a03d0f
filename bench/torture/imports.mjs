// Kills an import again and again, and compares its tables with those of an import that was left alone.
import { join } from 'node:path'
import { rocketChatDump, writeMongoArchive } from '../../imports/dist/testing.js'
import { contents } from '../../server/dist/imports/testing-import.js'
import { importKilled, longer } from '../../server/dist/imports/testing-kills.js'
import { openWorkspace, readConfig } from '../../server/dist/index.js'
import { cloneDatabase, stopOwnCluster } from '../../server/dist/testing/cluster.js'
import { makeFolder } from '../machine/processes.mjs'
import { randomFrom } from '../stage/words.mjs'

/** Writing takes a step for each thousand messages: no kill comes after its end. */
const MESSAGES_A_KILL = 3000

async function tablesAfter(archive, data_dir, kills) {
  const database = await cloneDatabase()
  try {
    const killed = await importKilled({ database_url: database.url, data_dir, archive }, kills)
    const workspace = await openWorkspace(
      readConfig({ DATABASE_URL: database.url, PARLEY_DATA_DIR: data_dir }),
    )
    try {
      return { killed, tables: JSON.parse(await contents(workspace)) }
    } finally {
      await workspace.close()
    }
  } finally {
    await database.drop()
  }
}

/** Faults are the kinds of rows that differ. */
export async function tortureImports({ kills, seed, say }) {
  const began = performance.now()
  const folder = await makeFolder()
  const messages = kills * MESSAGES_A_KILL
  const steps = messages / 1000
  try {
    const archive = join(folder.path, 'dump.archive')
    await writeMongoArchive(archive, longer(rocketChatDump(), messages), false)
    const random = randomFrom(seed)
    const broken = await tablesAfter(archive, join(folder.path, 'one'), { kills, steps, random, say })
    say('importing once more, without kills')
    const whole = await tablesAfter(archive, join(folder.path, 'other'), { kills: 0, steps, random, say })
    const differing = Object.keys(whole.tables).filter(
      (kind) => JSON.stringify(whole.tables[kind]) !== JSON.stringify(broken.tables[kind]),
    )
    return {
      seed,
      kills: broken.killed,
      messages,
      seconds: Math.round((performance.now() - began) / 1000),
      faults: differing.map((kind) => `${kind} are not those of an import that was not killed`),
    }
  } finally {
    await stopOwnCluster()
    await folder.remove()
  }
}
