import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { startEmbeddedPostgres } from './embedded.js'
import { saveTemplate } from './template.js'
import { embeddedStage, query, spawnServer } from './testing-embedded.js'

const { at, start } = embeddedStage()

test('the first start makes the database, the next ones find it', async (t) => {
  const folder = at('first')
  const cold = await start(t, { folder, template: undefined })
  await query(cold.url, 'create table notes (id int primary key)')
  await query(cold.url, 'insert into notes values (1)')
  const [settings] = await query(
    cold.url,
    `select current_setting('fsync') fsync, current_setting('synchronous_commit') synchronous_commit,
      current_setting('full_page_writes') full_page_writes, current_setting('data_checksums') data_checksums,
      current_setting('jit') jit, current_setting('timezone') timezone, current_setting('listen_addresses') listens,
      current_setting('server_encoding') encoding, current_setting('server_version') version,
      (select datlocprovider::text || datlocale from pg_database where datname = current_database()) locale,
      lower('ЁЖ') lowered`,
  )
  assert.deepEqual(settings, {
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    jit: 'off',
    timezone: 'UTC',
    listens: '',
    encoding: 'UTF8',
    version: cold.version,
    locale: 'bC.UTF-8',
    lowered: 'ёж',
  })
  await cold.stop()
  assert.deepEqual((await readdir(folder)).sort(), ['cluster', 'password', 'postgres.log'])

  const warm = await start(t, { folder })
  assert.deepEqual(await query(warm.url, 'select id from notes'), [{ id: 1 }])
})

test('a second server on the same folder is refused', async (t) => {
  const folder = at('second')
  const first = await start(t, { folder, durable: false })
  const refused = /^Error: Another server \(process \d+ on .+\) is using .+ choose another data folder\.$/
  await assert.rejects(startEmbeddedPostgres({ folder }), refused)

  const second = spawnServer(folder)
  const [line] = await once(createInterface(second.stderr!), 'line')
  await once(second, 'exit')
  assert.match(line, refused)
  assert.deepEqual(await query(first.url, 'select 1 as one'), [{ one: 1 }])
})

test('a folder may have a long name, spaces and other signs', async (t) => {
  for (const name of [
    "two words, a 'quote' and %20 & ё",
    join(...Array.from({ length: 12 }, () => 'deep-folder'.repeat(4))),
  ]) {
    const server = await start(t, { folder: at(name), durable: false })
    assert.deepEqual(await query(server.url, 'select current_database() as name'), [{ name: 'parley' }])
    const socket = new URL(server.url.replace('@/', '@x/')).searchParams.get('host')!
    assert.equal((await stat(socket)).mode & 0o777, 0o700)
    await server.stop()
    await assert.rejects(stat(socket))
  }
})

test('a first start that was cut short is begun anew', async (t) => {
  const folder = at('short')
  await mkdir(join(folder, 'cluster-unfinished'), { recursive: true })
  await writeFile(join(folder, 'cluster-unfinished', 'PG_VERSION'), '18')
  const server = await start(t, { folder, durable: false, template: undefined })
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }])
})

test('a template is copied with its rows, and one of another version or that is not there is passed over', async (t) => {
  const filled = await start(t, { folder: at('filled'), durable: false })
  await query(filled.url, 'create table notes as select 7 as id')
  await filled.stop()
  const kept = at('kept', 'filled')
  await saveTemplate(at('filled'), kept)
  await saveTemplate(at('filled'), kept)
  const copy = await start(t, { folder: at('copy'), durable: false, template: kept })
  assert.deepEqual(await query(copy.url, 'select id from notes'), [{ id: 7 }])
  assert.deepEqual(await readdir(at('kept')), ['filled'])

  await writeFile(join(kept, 'cluster', 'PG_VERSION'), '17\n')
  const other = await start(t, { folder: at('other'), durable: false, template: kept })
  await assert.rejects(query(other.url, 'select id from notes'), { code: '42P01' })
})

test('a cluster of another major version is refused and left alone', async () => {
  const folder = at('older')
  await mkdir(join(folder, 'cluster'), { recursive: true })
  await writeFile(join(folder, 'cluster', 'PG_VERSION'), '17\n')
  await assert.rejects(startEmbeddedPostgres({ folder }), /is of PostgreSQL 17 and this server brings 18/)
  assert.deepEqual(await readdir(folder), ['cluster'])
})

test('the socket asks for a password, also where an earlier version asked for none', async (t) => {
  const folder = at('password')
  const first = await start(t, { folder, durable: false })
  const bare = first.url.replace(/parley:\w+@/, 'parley@')
  await assert.rejects(query(bare, 'select 1'), /password/)
  assert.equal((await stat(join(folder, 'password'))).mode & 0o777, 0o600)
  await query(first.url, 'alter role parley password null')
  await first.stop()

  await rm(join(folder, 'password'))
  await writeFile(join(folder, 'cluster', 'pg_hba.conf'), 'local all all trust\n')
  const second = await start(t, { folder, durable: false })
  assert.deepEqual(await query(second.url, 'select 1 as one'), [{ one: 1 }])
  await assert.rejects(query(bare, 'select 1'), /password/)
})
