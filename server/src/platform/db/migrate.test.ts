import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFile, cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../../testing/cluster.js'
import { LOCKS } from './locks.js'
import { listMigrations, migrate } from './migrate.js'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))

async function database(t: TestContext, making: Promise<TestDatabase> = cloneDatabase()) {
  const { url, drop } = await making
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

/** People, of whom each has read half of the messages of one chat, of which the newest are deleted and every second is gone. In the schema of the first version. */
const FIRST_HISTORY = `
  insert into users (role, nickname, created_at) select 'user', 'n' || n, now() from generate_series(1, 300) n;
  insert into chats (id, kind, name, owner_id, meet_slug, created_at, last_message_at)
  values (1, 'conversation', 'Office', 1, 'a', now(), now());
  insert into messages (chat_id, root_chat_id, user_id, content, created_at, changed_at, deleted_at)
  select 1, 1, 1, 'word' || n, now(), now(), case when n > 1900 then now() end from generate_series(1, 2000) n;
  insert into chat_members (chat_id, user_id, role, joined_at, read_message_id)
  select 1, id, 'member', now(), 1000 from users;
  delete from messages where id % 2 = 0;`

test('a history of the first version is read a few times by all later migrations, not once for each person', async (t) => {
  const { url, client } = await database(t, emptyDatabase())
  const names = await listMigrations()
  const first = names.filter((name) => name < '0080')
  const told: string[] = []
  await migrate(url, { only: first, onMigration: (name) => told.push(name) })
  assert.equal(told.length, 0, 'a database without data')
  await client.query(FIRST_HISTORY)
  // The room of those that are gone lets the database change others in place, and then not use an index that is made after that.
  await client.query('vacuum analyze')
  await migrate(url, { onMigration: (name, { number, of }) => told.push(`${name} ${number}/${of}`) })
  const later = names.slice(first.length)
  assert.deepEqual(
    told,
    later.map((name, n) => `${name} ${n + 1}/${later.length}`),
  )
  const { rows: numbers } = await client.query('select distinct read_number from chat_members')
  assert.deepEqual(numbers, [{ read_number: 500 }])
  const { rows } = await client.query<{ times: number }>(
    `select (seq_tup_read + idx_tup_fetch)::int / 1000 as times from pg_stat_user_tables where relname = 'messages'`,
  )
  const times = rows[0]?.times ?? Number.NaN
  assert.ok(times > 0 && times <= 20, `the messages were read ${times} times`)
})

test('a database that applied a migration while it had another text with the same result is taken', async (t) => {
  const { url, client } = await database(t)
  const checksum = '50f664813a2de8f3c587452bb0c2802ea6009dcb6f054e74c93e64d3af848b99'
  const name = '0110-counted-messages.sql'
  await client.query('update schema_migrations set checksum = $1 where name = $2', [checksum, name])
  // What came with the text as it is now.
  const later = ['0105-deleted-messages.sql', '0490-no-index-of-an-upgrade.sql']
  await client.query('delete from schema_migrations where name = any($1)', [later])
  assert.deepEqual(await migrate(url), later)
})

test('a process that finds another one migrating says so, and goes on after it', async (t) => {
  const { url, client } = await database(t)
  await client.query('select pg_advisory_lock($1)', [LOCKS.migrate])
  const applied = await migrate(url, {
    onWait: () => void client.query('select pg_advisory_unlock($1)', [LOCKS.migrate]),
  })
  assert.deepEqual(applied, [])
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
