// Keeps a small workspace as this version stores it, in server/fixtures, for the test that starts every later version on it.
// Run it when a version is released, and commit both files: node scripts/build.mjs && node scripts/keep-data.mjs
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { backupDatabase } from '../postgres/dist/index.js'
import { RELEASE } from '../server/dist/platform/version.js'
import { startTestCluster } from '../server/dist/testing/cluster.js'
import { factsOf, fill, read } from '../server/dist/testing/kept-data.js'

const folder = fileURLToPath(new URL('../server/fixtures/', import.meta.url))
mkdirSync(folder, { recursive: true })
const cluster = await startTestCluster()
process.env.TEST_CLUSTER_URL = cluster.url
// Looks for the cluster when it is loaded.
const { world } = await import('../server/dist/testing/world.js')
const ends = []
const kept = await world({ after: (end) => ends.push(end) }, { env: { PARLEY_WORKSPACE_NAME: 'Kept' } })
const { ctx, url, owner, alice, bot } = kept
kept.clock.freeze(true)
const tokens = { owner: owner.token, alice: alice.token, bot: bot.token }
const { paths, file } = await fill(kept)
const summary = await backupDatabase({
  url: ctx.config.database_url,
  file: join(folder, `data-${RELEASE}.tar.gz`),
  filesFolder: join(ctx.config.data_dir, 'files'),
})
const readings = []
for (const [as, path] of paths) readings.push({ as, path, facts: factsOf(await read(url, tokens[as], path)) })
const at = new Date(kept.clock.now()).toISOString()
const facts = { version: RELEASE, at, tokens, file, readings }
writeFileSync(join(folder, `data-${RELEASE}.json`), `${JSON.stringify(facts, null, 1)}\n`)
console.log(`data-${RELEASE}.tar.gz: ${summary.bytes} bytes, ${readings.length} answers`)
for (const end of ends.reverse()) await end()
await cluster.stop()
