import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { chooseAccount } from './account.js'
import type { EmbeddedPostgres } from './embedded.js'
import { choosePrograms, commandFor } from './programs.js'
import {
  embeddedStage,
  eventually,
  isRunning,
  launcher,
  query,
  readReport,
  spawnModule,
  spawnServer,
} from './testing-embedded.js'

const { at, start, makeSocketFolder } = embeddedStage()

test('a killed PostgreSQL comes back under the same url', async (t) => {
  const folder = at('killed')
  const server = await start(t, { folder })
  await query(server.url, 'create table notes as select 1 as id')

  // A backend that is busy outlives its postmaster and would hold the cluster.
  const busy = new Client({ connectionString: server.url })
  busy.on('error', () => {})
  await busy.connect()
  const lost = busy.query('select count(*) from generate_series(1, 1000000000000)').catch(() => 'lost')
  await eventually(async () => {
    const [found] = await query(
      server.url,
      `select from pg_stat_activity where query like '%generate_series%' and pid <> pg_backend_pid()`,
    )
    assert.ok(found)
  })

  const former = server.pid
  const told = untilExit(server)
  process.kill(former, 'SIGKILL')
  assert.equal(await told, 'PostgreSQL ended with SIGKILL')
  assert.equal(await lost, 'lost')
  await eventually(async () => assert.deepEqual(await query(server.url, 'select id from notes'), [{ id: 1 }]))
  assert.notEqual(server.pid, former)
})

test('a stop while PostgreSQL is being started again stops it', async (t) => {
  const folder = at('stopped')
  const server = await start(t, { folder, durable: false })
  const told = untilExit(server)
  process.kill(server.pid, 'SIGKILL')
  await told
  await server.stop()
  await assert.rejects(query(server.url, 'select 1'))
  await (await start(t, { folder, durable: false })).stop()
})

test('after kill -9 of a server the next one takes over with every committed row', async (t) => {
  const folder = at('crashed')
  const child = spawnServer(folder)
  const { url, pid } = await readReport(child)
  await query(url, 'create table notes (id int)')
  for (let id = 0; id < 50; id++) await query(url, `insert into notes values (${id})`)
  child.kill('SIGKILL')
  await once(child, 'exit')

  const next = await start(t, { folder })
  assert.deepEqual(await query(next.url, 'select count(*)::int from notes'), [{ count: 50 }])
  await eventually(async () => assert.ok(!isRunning(pid)))
})

test('an orphaned PostgreSQL is ended by the next start', async (t) => {
  const folder = at('orphan')
  await (await start(t, { folder })).stop()
  const account = await chooseAccount(join(folder, 'cluster'))
  const programs = { ...(await choosePrograms(folder, account)), deathSignal: false }
  const cluster = join(folder, 'cluster')
  const args = [
    '-D',
    cluster,
    '-c',
    'listen_addresses=',
    '-c',
    `unix_socket_directories=${await makeSocketFolder()}`,
  ]
  const command = commandFor(programs, 'postgres', args)
  const orphan = spawn(command.file, command.args, { ...command.options, detached: true, stdio: 'ignore' })
  await eventually(async () => assert.match(await readFile(join(cluster, 'postmaster.pid'), 'utf8'), /ready/))

  const server = await start(t, { folder })
  assert.equal(orphan.exitCode, 0)
  assert.deepEqual(await query(server.url, 'select 1 as one'), [{ one: 1 }])
})

test('a pid file that names a stranger is no hindrance', async (t) => {
  const folder = at('stale')
  await (await start(t, { folder, durable: false })).stop()
  await writeFile(
    join(folder, 'cluster', 'postmaster.pid'),
    `${process.pid}\n${folder}\n0\n5432\n\n\n\nready\n`,
  )
  await start(t, { folder, durable: false })
})

test('PostgreSQL ends with its server where there is no setpriv', async (t) => {
  const folder = at('watched')
  await (await start(t, { folder })).stop()
  const child = spawnModule(`
    const { supervise } = await import(new URL('./supervise.js', '${launcher}').href)
    const { choosePrograms } = await import(new URL('./programs.js', '${launcher}').href)
    const { chooseAccount } = await import(new URL('./account.js', '${launcher}').href)
    const { openLogFile } = await import(new URL('./log-file.js', '${launcher}').href)
    const folder = ${JSON.stringify(folder)}
    const postmaster = await supervise({
      programs: { ...(await choosePrograms(folder, await chooseAccount(folder + '/cluster'))), deathSignal: false },
      cluster: folder + '/cluster',
      settings: { listen_addresses: '', unix_socket_directories: ${JSON.stringify(await makeSocketFolder())} },
      logFile: await openLogFile(folder + '/postgres.log'),
      log: () => {},
    })
    console.log(JSON.stringify({ pid: postmaster.pid() }))
    setInterval(() => {}, 1000)`)
  const { pid } = await readReport(child)
  assert.ok(isRunning(pid))
  child.kill('SIGKILL')
  await eventually(async () => assert.ok(!isRunning(pid)))
})

/** Keeps this process alive meanwhile, which the database alone does not. */
function untilExit(server: EmbeddedPostgres): Promise<string> {
  const alive = setInterval(() => {}, 1_000)
  return new Promise<string>((resolve) => server.onExit(resolve)).finally(() => clearInterval(alive))
}
