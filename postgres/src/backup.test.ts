import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { Client } from 'pg'
import { backupDatabase } from './backup.js'
import type { Progress } from './backup-format.js'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.js'
import { restoreDatabase } from './restore.js'
import { FEW_ROWS, ROWS, SCHEMA } from './testing-backup.js'
import { verifyBackup } from './verify-backup.js'

let base: string
let server: EmbeddedPostgres
let count = 0

before(async () => {
  base = await mkdtemp(join(tmpdir(), 'parley-backup-'))
  server = await startEmbeddedPostgres({ folder: join(base, 'postgres'), durable: false })
})
after(async () => {
  await server.stop()
  await rm(base, { recursive: true })
})

test('a restored database has the same rows, sequences and files', async (t) => {
  const source = await makeDatabase(t, ROWS)
  const folder = await makeFiles('source-files')
  const file = join(base, 'whole.backup')
  const backupSteps: Progress[] = []
  const began = performance.now()
  const onProgress = (done: Progress) => backupSteps.push(done)
  const written = await backupDatabase({ url: source.url, file, filesFolder: folder, onProgress })
  t.diagnostic(
    `backup of ${written.tables.length} tables in ${Math.round(performance.now() - began)} ms, ${written.bytes} bytes`,
  )
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual(await verifyBackup(file), written)
  assert.deepEqual(written.migrations, ['0001-start.sql', '0002-more.sql'])
  assert.equal(written.tables.find(({ name }) => name === 'messages')?.rows, 9_000)
  assert.deepEqual(written.files, { count: 4, bytes: LARGE + 5 + 4 })
  assertRising(backupSteps)

  const target = await makeDatabase(t)
  const restoredFolder = join(base, 'restored-files')
  const steps: Progress[] = []
  const restoring = performance.now()
  const restored = await restoreDatabase({
    url: target.url,
    file,
    filesFolder: restoredFolder,
    onProgress: (done) => steps.push(done),
  })
  t.diagnostic(`restored in ${Math.round(performance.now() - restoring)} ms`)
  assert.equal(restored.replica_role, true)
  assertRising(steps)
  assert.equal(steps.at(-1)?.share, 1)
  assert.deepEqual(await dump(target), await dump(source))
  assert.deepEqual(await readTree(restoredFolder), await readTree(folder))
  assert.equal((await stat(join(restoredFolder, 'ab', 'photo'))).mtime.getTime(), 1_600_000_000_000)

  const [chat] = await rows(target, `insert into chats (name) values ('next') returning id::int, name`)
  assert.deepEqual(chat, { id: 51, name: 'NEXT' })
  assert.deepEqual(await rows(target, `select nextval('numbers')::int`), [{ nextval: 110 }])
})

test('a backup taken while others write is of one moment', async (t) => {
  const source = await makeDatabase(t, ROWS)
  let writing = true
  const writers = [1, 2].map(async (seed) => {
    const client = await open(source.url)
    for (let n = seed; writing; n += 7) {
      const [from, to] = [1 + (n % 20), 1 + ((n * 3) % 20)]
      await client.query(`
        begin;
        update accounts set amount = amount - 5 where id = ${Math.min(from, to)};
        update accounts set amount = amount + 5 where id = ${Math.max(from, to)};
        insert into entries values (${Math.min(from, to)}, -5), (${Math.max(from, to)}, 5);
        commit`)
    }
    await client.end()
  })
  const files: string[] = []
  for (const n of [1, 2]) {
    const before = await rows(source, 'select count(*)::int from entries')
    await until(
      async () => (await rows(source, 'select count(*)::int from entries'))[0]!.count > before[0]!.count + 20,
    )
    files.push(join(base, `moving-${n}.backup`))
    await backupDatabase({ url: source.url, file: files.at(-1)! })
  }
  writing = false
  await Promise.all(writers)

  const target = await makeDatabase(t)
  for (const file of files) {
    await restoreDatabase({ url: target.url, file, force: true })
    const [check] = await rows(
      target,
      `select (select sum(amount) from accounts)::int as held, (select sum(amount) from entries)::int as moved,
        (select count(*) from accounts a
         where amount <> 1000 + coalesce((select sum(amount) from entries where account_id = a.id), 0))::int as off,
        (select count(*) from entries)::int > 0 as some`,
    )
    assert.deepEqual(check, { held: 20_000, moved: 0, off: 0, some: true })
  }
})

/** Between blocks gzip fills bytes up with bits that mean nothing. */
function holds(damaged: Buffer, content: Buffer): boolean {
  try {
    return gunzipSync(damaged).equals(content)
  } catch {
    return false
  }
}

test('a damaged or shortened file is refused and the target keeps what it has', async (t) => {
  const source = await makeDatabase(t, FEW_ROWS)
  const folder = await makeFiles('damaged-files', SMALL)
  const file = join(base, 'sound.backup')
  await backupDatabase({ url: source.url, file, filesFolder: folder })
  const sound = await readFile(file)
  const content = gunzipSync(sound)

  const target = await makeDatabase(t, FEW_ROWS)
  const before = await dump(target)
  const broken = join(base, 'broken.backup')
  const refused = /^Error: The backup .+ cannot be used: /
  for (let n = 0; n < 40; n++) {
    const damaged = Buffer.from(sound)
    // From behind the gzip header, whose date and system name mean nothing, to the very last byte.
    const at = 10 + Math.round(((sound.length - 11) * n) / 39)
    damaged[at] = damaged[at]! ^ (1 << (n % 8))
    if (holds(damaged, content)) continue
    await writeFile(broken, damaged)
    await assert.rejects(verifyBackup(broken), refused)
  }
  await writeFile(broken, 'no archive')
  await assert.rejects(verifyBackup(broken), /is not a file that parley backup wrote/)
  for (const length of [0, 5, 100, sound.length >> 1, sound.length - 1]) {
    await writeFile(broken, sound.subarray(0, length))
    await assert.rejects(
      restoreDatabase({ url: target.url, file: broken, force: true, filesFolder: folder }),
      refused,
    )
  }
  await assert.rejects(verifyBackup(join(base, 'missing.backup')), /^Error: There is no backup /)
  assert.deepEqual(await dump(target), before)
  assert.deepEqual(await readTree(folder), await readTree(await makeFiles('damaged-files', SMALL)))
})

test('a restore that fails late leaves rows, sequences and files as they were', async (t) => {
  const source = await makeDatabase(t, ROWS)
  const file = join(base, 'late.backup')
  await backupDatabase({ url: source.url, file, filesFolder: await makeFiles('late-files') })

  const target = await makeDatabase(t, `${ROWS} alter table messages add check (id < 8000) not valid;`)
  const folder = join(base, 'kept-files')
  await mkdir(folder)
  await writeFile(join(folder, 'old'), 'old')
  const before = await dump(target)
  const restore = () => restoreDatabase({ url: target.url, file, filesFolder: folder, force: true })
  await assert.rejects(restore(), /violates check constraint/)

  // The last table of all, and then the very commit.
  await rows(target, 'alter table messages drop constraint messages_id_check')
  await rows(
    target,
    `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused at the commit'; end $$;
     create constraint trigger refuse after insert on nothing deferrable initially deferred
       for each row execute function refuse();
     alter table nothing enable always trigger refuse;`,
  )
  await assert.rejects(restore(), /refused at the commit/)
  assert.deepEqual(await dump(target), before)
  assert.deepEqual(await readTree(folder), { old: Buffer.from('old') })

  await rows(target, 'drop trigger refuse on nothing')
  await restore()
  assert.deepEqual(await dump(target), await dump(source))
  assert.deepEqual(await readTree(folder), await readTree(join(base, 'late-files')))
})

test('tables that somebody added are restored where they are, and else left out and named', async (t) => {
  const own = 'create table figures (id bigint generated always as identity, name text);'
  const source = await makeDatabase(t, `${FEW_ROWS}; ${own} insert into figures (name) values ('a'), ('b')`)
  const file = join(base, 'own-table.backup')
  await backupDatabase({ url: source.url, file })
  const same = await makeDatabase(t, own)
  assert.deepEqual((await restoreDatabase({ url: same.url, file })).left_out, [])
  assert.deepEqual(await dump(same), await dump(source))

  const other = await makeDatabase(t)
  assert.deepEqual((await restoreDatabase({ url: other.url, file })).left_out, ['figures'])
  await rows(source, 'drop table figures')
  assert.deepEqual(await dump(other), await dump(source))
})

test('rows, files or other migrations in the target are refused', async (t) => {
  const source = await makeDatabase(t, FEW_ROWS)
  const file = join(base, 'strict.backup')
  const folder = await makeFiles('strict-files')
  await backupDatabase({ url: source.url, file, filesFolder: folder })

  const full = await makeDatabase(t, FEW_ROWS)
  await assert.rejects(
    restoreDatabase({ url: full.url, file }),
    /has rows in .+: restore into an empty one, or with force\./,
  )

  const empty = await makeDatabase(t)
  await assert.rejects(restoreDatabase({ url: empty.url, file, filesFolder: folder }), /There are files in /)

  const newer = await makeDatabase(t, `insert into schema_migrations values ('0003-later.sql')`)
  await assert.rejects(
    restoreDatabase({ url: newer.url, file }),
    /newer than the backup: it has 0003-later\.sql\./,
  )

  const older = await makeDatabase(t, `delete from schema_migrations where name = '0002-more.sql'`)
  await assert.rejects(
    restoreDatabase({ url: older.url, file }),
    /The database lacks 0002-more\.sql: migrate it up to 0002-more\.sql, then restore\./,
  )

  const drifted = await makeDatabase(t, 'alter table accounts add note text')
  await assert.rejects(
    restoreDatabase({ url: drifted.url, file }),
    /differ in spite of equal migrations: accounts \(/,
  )
})

test('an owner without special rights restores, in spite of tables that refer to each other and triggers', async (t) => {
  const source = await makeDatabase(t, FEW_ROWS)
  const file = join(base, 'plain.backup')
  await backupDatabase({ url: source.url, file })

  await rows(
    server,
    `create role plain login password '${new URL(server.url.replace('@/', '@x/')).password}'`,
  )
  const target = await makeDatabase(t, '', 'plain')
  const restored = await restoreDatabase({ url: target.url, file })
  assert.equal(restored.replica_role, false)
  assert.deepEqual(await dump(target), await dump(source))
  const state = `
    select conname, condeferrable, condeferred, convalidated from pg_constraint where contype = 'f' order by conname;
    select tgname, tgenabled from pg_trigger where not tgisinternal order by tgname`
  assert.deepEqual(await rows(target, state), await rows(source, state))
  await assert.rejects(rows(target, 'update chats set last_message_id = -1'), /violates foreign key/)
})

test('a backup that fails leaves no file behind', async (t) => {
  const source = await makeDatabase(t, ROWS)
  const folder = join(base, 'failing')
  await mkdir(folder)
  const holder = await open(source.url)
  // Sequences are read after all rows.
  await holder.query('begin; alter sequence numbers rename to held')
  const lost = assert.rejects(backupDatabase({ url: source.url, file: join(folder, 'a.backup') }))
  await terminateWaiting(source, 'parley backup')
  await lost
  await holder.end()
  assert.deepEqual(await readdir(folder), [])
  await assert.rejects(backupDatabase({ url: source.url, file: join(folder, 'missing', 'a.backup') }), {
    code: 'ENOENT',
  })
})

test('a restore that loses its connection leaves the target as it was', async (t) => {
  const source = await makeDatabase(t, ROWS)
  const file = join(base, 'lost.backup')
  await backupDatabase({ url: source.url, file })

  const target = await makeDatabase(t, WAITING)
  const before = await dump(target)
  const holder = await open(target.url)
  await holder.query('select pg_advisory_lock(1)')
  for (const victim of ['chats', 'messages', 'nothing']) {
    await rows(
      target,
      `create trigger wait after insert on ${victim} execute function wait(); alter table ${victim} enable always trigger wait`,
    )
    const lost = assert.rejects(restoreDatabase({ url: target.url, file }))
    await terminateWaiting(target, 'parley restore')
    await lost
    await rows(target, `drop trigger wait on ${victim}`)
    assert.deepEqual(await dump(target), before)
  }
  await holder.end()
})

/** A trigger that waits for whoever holds the lock, however long. */
const WAITING = `create function wait() returns trigger language plpgsql as $$ begin
  set local lock_timeout = 0;
  perform pg_advisory_xact_lock(1);
  return null;
end $$`

/** Ends a connection in the middle of its work, where it waits for a lock. */
async function terminateWaiting(database: { url: string }, application: string): Promise<void> {
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = '${application}' and wait_event_type = 'Lock'`
  await until(async () => (await rows(database, terminate)).length > 0)
}

async function makeDatabase(t: TestContext, more = '', owner = 'parley'): Promise<{ url: string }> {
  const name = `test_${++count}`
  await rows(server, `create database ${name} owner ${owner}`)
  const url = server.url.replace('/parley?', `/${name}?`).replace('//parley:', `//${owner}:`)
  t.after(() => rows(server, `drop database ${name} with (force)`))
  await rows({ url }, `${SCHEMA} ${more}`)
  return { url }
}

const LARGE = 3_000_000
const SMALL = 100_000

async function makeFiles(name: string, bytes = LARGE): Promise<string> {
  const folder = join(base, name)
  await mkdir(join(folder, 'ab', 'очень длинное имя папки '.repeat(4)), { recursive: true })
  const photo = Buffer.alloc(bytes, 'photo')
  await writeFile(join(folder, 'ab', 'photo'), photo)
  await utimes(join(folder, 'ab', 'photo'), 1_600_000_000, 1_600_000_000)
  await writeFile(join(folder, 'ab', 'очень длинное имя папки '.repeat(4), 'ё'), 'hello')
  await writeFile(join(folder, 'empty'), '')
  await writeFile(join(folder, 'note.txt'), 'note')
  return folder
}

async function readTree(folder: string): Promise<Record<string, Buffer>> {
  const tree: Record<string, Buffer> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) tree[path.slice(folder.length + 1)] = await readFile(path)
  }
  return tree
}

/** All rows of all tables and the values of sequences, to compare databases. */
async function dump({ url }: { url: string }): Promise<Record<string, unknown>> {
  const tables = [
    'chats',
    'messages',
    '"Odd, name"',
    'accounts',
    'entries',
    'entries_1',
    'nothing',
    'schema_migrations',
  ]
  const sequences = ['numbers', 'chats_id_seq', 'messages_id_seq', '"Odd, name_id_seq"']
  const all: Record<string, unknown> = {}
  for (const name of tables) {
    const columns = name === 'schema_migrations' ? 'name' : 't'
    all[name] = (await rows({ url }, `select ${columns}::text as row from ${name} t order by 1`)).map(
      ({ row }) => row,
    )
  }
  for (const name of sequences) all[name] = await rows({ url }, `select last_value, is_called from ${name}`)
  return all
}

async function rows({ url }: { url: string }, text: string) {
  const client = await open(url)
  try {
    const result = await client.query(text)
    return Array.isArray(result) ? result.flatMap((one) => one.rows) : result.rows
  } finally {
    await client.end()
  }
}

async function open(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return client
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds()));
}

function assertRising(steps: Progress[]): void {
  assert.ok(steps.length > 0)
  for (const [n, { share }] of steps.entries()) {
    assert.ok(share >= (steps[n - 1]?.share ?? 0) && share <= 1, `${share} follows ${steps[n - 1]?.share}`)
  }
}
