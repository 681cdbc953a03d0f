// Kills an import again and again, every third time its database, and compares its tables with those of an import that was left alone.
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { rocketChatDump, writeMongoArchive } from '../../imports/dist/testing.js'
import { startEmbeddedPostgres } from '../../postgres/dist/index.js'
import { contents } from '../../server/dist/imports/testing-import.js'
import { importKilled, longer } from '../../server/dist/imports/testing-kills.js'
import { openWorkspace, readConfig } from '../../server/dist/index.js'
import { makeFolder, startServer } from '../machine/processes.mjs'
import { randomFrom } from '../stage/words.mjs'

/** Writing takes a step for each batch of 4000 messages, so that no kill comes after its end. */
const MESSAGES_A_STEP = 4000
const STEPS_A_KILL = 1.5

/** A database of its own that survives crashes, with an empty workspace. */
async function openDatabase(data_dir) {
  const postgres = await startEmbeddedPostgres({ folder: join(data_dir, 'postgres') })
  const env = { DATABASE_URL: postgres.url, PARLEY_LOG_LEVEL: 'error' }
  const server = await startServer({ folder: data_dir, env, quiet: true })
  await server.stop()
  return postgres
}

async function crash(postgres) {
  const before = postgres.pid
  process.kill(before, 'SIGKILL')
  while (postgres.pid === before || !(await answers(postgres.url))) await wait(50)
}

async function answers(url) {
  const client = new pg.Client(url)
  client.on('error', () => {})
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  )
}

async function tablesAfter(archive, data_dir, kills) {
  const postgres = await openDatabase(data_dir)
  try {
    const where = { database_url: postgres.url, data_dir, archive }
    const killed = await importKilled(where, { ...kills, crash: () => crash(postgres) })
    const workspace = await openWorkspace(
      readConfig({ DATABASE_URL: postgres.url, PARLEY_DATA_DIR: data_dir }),
    )
    try {
      return { killed, tables: JSON.parse(await contents(workspace)) }
    } finally {
      await workspace.close()
    }
  } finally {
    await postgres.stop()
  }
}

/** Faults are the kinds of rows that differ. */
export async function tortureImports({ kills, seed, say }) {
  const began = performance.now()
  const folder = await makeFolder()
  const steps = kills * STEPS_A_KILL
  const messages = steps * MESSAGES_A_STEP
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
    await folder.remove()
  }
}
