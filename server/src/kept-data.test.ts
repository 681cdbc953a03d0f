import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as api from '@parley/contract'
import { restoreDatabase, verifyBackup } from '@parley/postgres'
import { createClient } from '@parley/sdk/contract'
import { pino } from 'pino'
import { verifyAudit } from './audit/verify.js'
import { movableClock } from './platform/clock.js'
import { readConfig } from './platform/config.js'
import { migrate } from './platform/db/migrate.js'
import { startServer } from './serve.js'
import { emptyDatabase, OWNER } from './testing/cluster.js'
import { type KeptData, lostFacts, read } from './testing/kept-data.js'
import { drainAll } from './work.js'

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url))
const versions = (await readdir(FIXTURES)).filter((name) => name.endsWith('.json'))

for (const name of versions) {
  test(`this version starts on ${name.replace('.json', '')}, and everything in it is still told`, async (t) => {
    const kept = JSON.parse(await readFile(join(FIXTURES, name), 'utf8')) as KeptData
    const file = join(FIXTURES, name.replace('.json', '.tar.gz'))
    const database = await emptyDatabase()
    const folder = await mkdtemp(join(tmpdir(), 'parley-kept-'))
    const { migrations } = await verifyBackup(file)
    // The schema of then, the rows of then, and what came since.
    await migrate(database.url, { only: migrations })
    await restoreDatabase({ url: database.url, file, filesFolder: join(folder, 'files'), force: true })
    const env = { DATABASE_URL: database.url, PARLEY_DATA_DIR: folder, PORT: '0', PARLEY_RATE_LIMITS: 'off' }
    const config = readConfig({ ...env, PARLEY_AUDIT_KEY: 'of the kept data' })
    const clock = movableClock()
    clock.freeze(true)
    clock.advance(Date.parse(kept.at) - clock.now())
    const log = pino({ level: 'silent' })
    const server = await startServer(config, { clock, log, work: 'paused' })
    t.after(async () => {
      await server.stop()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    })
    assert.equal(server.firstStart, undefined)

    const lost: string[] = []
    for (const { as, path, facts } of kept.readings)
      lost.push(...lostFacts(facts, await read(server.url, kept.tokens[as], path), path))
    assert.deepEqual(lost, [])

    const alice = createClient({ base_url: `${server.url}/v1`, token: kept.tokens.alice })
    const { data } = await alice.call(api.getMessage, { params: { id: kept.file.message_id } })
    assert.equal(await (await fetch(data.files[0]!.url)).text(), kept.file.content)
    const { email, password } = OWNER
    const session = await createClient({ base_url: `${server.url}/v1`, token: '' }).call(api.signIn, {
      body: { email, password },
    })
    assert.equal(session.data.user.id, OWNER.id)
    const said = { entity_id: 1, content: 'Said by a later version' }
    await alice.call(api.createMessage, { body: { message: said } })
    await drainAll(server.workers)
    const found = await alice.call(api.searchMessages, { query: { query: 'later version' } })
    assert.deepEqual(
      found.data.map(({ content }) => content),
      [said.content],
    )
    assert.equal((await verifyAudit(server.ctx.autocommit)).whole, true)
  })
}
