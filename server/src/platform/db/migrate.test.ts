import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { cloneDatabase } from '../../testing/cluster.js'
import { listMigrations, migrate } from './migrate.js'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

async function database(t: TestContext) {
  const { url, drop } = await cloneDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  t.after(async () => {
    await client.end()
    await drop()
  })
  return { url, client }
}

test('a database that applied a migration with another text is refused, and nothing is changed', async (t) => {
  const { url, client } = await database(t)
  await client.query(`update schema_migrations set checksum = 'other' where name = '0042-search.sql'`)
  await client.query(`delete from schema_migrations where name = '0101-preferences.sql'`)
  const message =
    /^This database applied 0042-search\.sql with another text than this version has: .*restore a backup\.$/
  await assert.rejects(migrate(url), { message })
  const { rowCount } = await client.query(`select from schema_migrations where name = '0101-preferences.sql'`)
  assert.equal(rowCount, 0)
})

test('a database from before checksums gets them at its next start', async (t) => {
  const { url, client } = await database(t)
  await client.query('alter table schema_migrations drop column checksum')
  assert.deepEqual(await migrate(url), [])
  const { rows } = await client.query('select count(checksum)::int as signed from schema_migrations')
  assert.equal(rows[0].signed, (await listMigrations()).length)
})

test('a migration of a newer version is refused', async (t) => {
  const { url, client } = await database(t)
  await client.query(`insert into schema_migrations (name, checksum) values ('9999-later.sql', 'x')`)
  await assert.rejects(migrate(url), { message: /made by a newer Parley \(it has 9999-later\.sql\)/ })
})

test('the check finds a landed migration that was edited or removed, and a new one that is not listed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'))
  t.after(() => rm(folder, { recursive: true }))
  await cp(join(ROOT, 'server/migrations'), folder, { recursive: true })
  const check = (...flags: string[]) => {
    const script = join(ROOT, 'scripts/check-migrations.mjs')
    return spawnSync(process.execPath, [script, folder, ...flags], { encoding: 'utf8' })
  }
  assert.equal(check().stderr, '')
  await writeFile(join(folder, '9999-later.sql'), 'select 1;\n')
  assert.match(check().stderr, /9999-later\.sql is not in checksums\.txt: npm run print adds it/)
  assert.equal(check('--add').status, 0)
  await appendFile(join(folder, '0042-search.sql'), '-- edited\n')
  await rm(join(folder, '0101-preferences.sql'))
  const { status, stderr } = check('--add')
  assert.equal(status, 1)
  assert.match(stderr, /0042-search\.sql was edited after it landed/)
  assert.match(stderr, /0101-preferences\.sql landed and is gone/)
})
