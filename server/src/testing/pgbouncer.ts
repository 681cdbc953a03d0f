import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { findPort } from '../../../postgres/dist/testing-port.js'

/** The program, where this machine has one. */
export async function findPgbouncer(): Promise<string | undefined> {
  for (const folder of [...(process.env.PATH ?? '').split(':'), '/usr/sbin']) {
    const path = join(folder, 'pgbouncer')
    if (await access(path).then(Boolean.bind(null, true), () => false)) return path
  }
  return undefined
}

export interface Pooler {
  url: string
  stop(): Promise<void>
}

/** A real pooler in transaction mode before a database, with fewer connections than its clients want at once. */
export async function startPgbouncer(program: string, databaseUrl: string): Promise<Pooler> {
  const {
    host,
    port: databasePort,
    database,
    user,
    password,
  } = new pg.Client({ connectionString: databaseUrl })
  const folder = await mkdtemp(join(tmpdir(), 'parley-pooler-'))
  await chmod(folder, 0o755)
  const port = await findPort()
  const config = join(folder, 'pgbouncer.ini')
  await writeFile(
    config,
    `[databases]
${database} = host=${host} port=${databasePort} user=${user} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 2
max_client_conn = 200
ignore_startup_parameters = extra_float_digits
`,
  )
  // It does not run as root, and the socket of the database is for the account of the database alone.
  const { uid, gid } = await stat(host)
  const identity = process.getuid?.() === 0 ? { uid, gid } : {}
  const child = spawn(program, [config], { stdio: ['ignore', 'ignore', 'pipe'], ...identity })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  async function stop() {
    process.off('exit', kill)
    const ended = once(child, 'exit')
    if (child.exitCode === null && kill()) await ended
    await rm(folder, { recursive: true, force: true })
  }
  for await (const line of createInterface({ input: child.stderr }))
    if (line.includes('process up')) return { url: `postgres://${user}@127.0.0.1:${port}/${database}`, stop }
  throw new Error('the pooler did not start')
}
