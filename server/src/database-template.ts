import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveTemplate, startEmbeddedPostgres } from '@parley/postgres'
import { listMigrations, migrate, readMigration } from './platform/db/migrate.js'
import { DAY_MS } from './platform/time.js'

const KEPT_MS = 7 * DAY_MS
const PREFIX = 'database-'

async function nameOfSchema(): Promise<string> {
  const hash = createHash('sha256')
  for (const name of await listMigrations()) hash.update(await readMigration(name))
  return PREFIX + hash.digest('hex').slice(0, 16)
}

async function makeTemplate(template: string) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-template-'))
  try {
    const postgres = await startEmbeddedPostgres({ folder, durable: false })
    await migrate(postgres.url).finally(() => postgres.stop())
    await saveTemplate(folder, template)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes templates that nobody used for a week: those of former schemas. */
async function removeUnused(cache: string) {
  for (const name of await readdir(cache)) {
    const path = join(cache, name)
    const used = await stat(path).catch(() => null)
    if (name.startsWith(PREFIX) && used && Date.now() - used.mtimeMs > KEPT_MS)
      await rm(path, { recursive: true, force: true })
  }
}

/**
 * A database with the newest schema and no rows, kept in the home folder: to start from it takes a tenth of initdb and
 * all migrations. Undefined where nothing can be kept there.
 */
export async function findDatabaseTemplate(
  cache = join(homedir(), '.cache', 'parley'),
): Promise<string | undefined> {
  const template = join(cache, await nameOfSchema())
  const now = new Date()
  try {
    if (!(await stat(template).catch(() => null))) {
      await makeTemplate(template)
      await removeUnused(cache)
    }
    await utimes(template, now, now)
    return template
  } catch {
    return undefined
  }
}
