// Prints the types of the migrated database as server/src/platform/db/schema.ts.
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../postgres/dist/index.js'
import { migrate } from '../server/dist/platform/db/migrate.js'
import { printSchema } from '../server/dist/platform/db/print-schema.js'

const folder = await mkdtemp(join(tmpdir(), 'parley-schema-'))
const postgres = await startEmbeddedPostgres({ folder, durable: false })
try {
  await migrate(postgres.url)
  const text = await printSchema(postgres.url)
  writeFileSync(new URL('../server/src/platform/db/schema.ts', import.meta.url), text)
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
