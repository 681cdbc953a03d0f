import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { chooseAccount, giveTo } from './account.js'
import { prepareCluster, prepareDatabase } from './cluster.js'
import { choosePrograms, commandFor, type Programs } from './programs.js'
import { findPort } from './testing-port.js'

/** A primary and a streaming standby on loopback, for tests of failover: the roles change with each one. */
export interface Pair {
  /** Names both hosts. */
  url: string
  /** The address of the one that takes writes. */
  primaryUrl(): string
  standbyUrl(): string
  /** Kills the primary, with every process of it, and promotes the standby. */
  failOver(): Promise<void>
  /** Makes the one that was killed a standby of the other, and waits until it has everything. */
  rebuild(): Promise<void>
  close(): Promise<void>
}

export interface PairOptions {
  /** A commit waits until the standby has it on its disk. */
  synchronous?: boolean
  template?: string
}

interface Node {
  cluster: string
  port: number
  process: ChildProcess | null
}

const urlOf = ({ port }: Node) => `postgres://parley@127.0.0.1:${port}/parley?sslmode=disable`

async function ask<T extends object>(node: Node, statement: string): Promise<T[]> {
  const connectionString = urlOf(node).replace('/parley?', '/postgres?')
  const client = new Client({ connectionString, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    return (await client.query<T>(statement)).rows
  } finally {
    await client.end()
  }
}

async function until(isSo: () => Promise<boolean>, what: string) {
  for (let left = 600; left > 0; left -= 1) {
    if (await isSo().catch(() => false)) return
    await delay(50)
  }
  throw new Error(`it did not come to this: ${what}`)
}

async function launch(programs: Programs, node: Node) {
  const settings = {
    port: `${node.port}`,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: '64MB',
    wal_keep_size: '512MB',
    hot_standby: 'on',
    timezone: 'UTC',
    jit: 'off',
    ssl: 'off',
  }
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const { file, args, options } = commandFor(programs, 'postgres', ['-D', node.cluster, ...given])
  node.process = spawn(file, args, { ...options, detached: true, stdio: 'ignore' })
  await once(node.process, 'spawn')
  await until(async () => (await ask(node, 'select 1')).length === 1, `a database answers on ${node.port}`)
}

/** Kills every process of a database at once, as a power cut would. */
async function killAll(node: Node) {
  const { process: postmaster } = node
  if (!postmaster || postmaster.exitCode !== null || postmaster.signalCode !== null) return
  const ended = once(postmaster, 'exit')
  process.kill(-(postmaster.pid as number), 'SIGKILL')
  await ended
  node.process = null
}

async function setSynchronous(node: Node, names: string) {
  await ask(node, `alter system set synchronous_standby_names = '${names}'`)
  await ask(node, 'select pg_reload_conf()')
}

/** Copies a running primary, and starts the copy as its standby. */
async function copyAsStandby(programs: Programs, primary: Node, standby: Node) {
  const client = new Client({ connectionString: urlOf(primary) })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', true)`)
    await rm(standby.cluster, { recursive: true, force: true })
    await promisify(execFile)('cp', ['-R', primary.cluster, standby.cluster]).catch(() => {
      // A file that the database removed meanwhile is no loss: the log brings the copy to where it was.
    })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    await writeFile(join(standby.cluster, 'backup_label'), rows[0]?.labelfile ?? '')
  } finally {
    await client.end()
  }
  await rm(join(standby.cluster, 'postmaster.pid'), { force: true })
  await rm(join(standby.cluster, 'postgresql.auto.conf'), { force: true })
  const from = `host=127.0.0.1 port=${primary.port} user=parley application_name=standby`
  await writeFile(join(standby.cluster, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`)
  await writeFile(join(standby.cluster, 'standby.signal'), '')
  await rm(join(standby.cluster, 'pg_wal'), { recursive: true, force: true })
  await mkdir(join(standby.cluster, 'pg_wal'), { mode: 0o700 })
  // What was copied belongs to us.
  await promisify(execFile)('chown', ['-R', `${programs.account.uid ?? process.getuid?.()}`, standby.cluster])
  await giveTo(programs.account, standby.cluster)
  await launch(programs, standby)
}

/** Starts a primary and its standby below a folder. */
export async function openPair(folder: string, options: PairOptions = {}): Promise<Pair> {
  const [one, two] = await Promise.all(
    ['one', 'two'].map(async (name): Promise<Node> => {
      await mkdir(join(folder, name), { recursive: true })
      return { cluster: join(folder, name, 'cluster'), port: await findPort(), process: null }
    }),
  )
  let [primary, standby] = [one as Node, two as Node]
  const account = await chooseAccount(primary.cluster)
  const programs = await choosePrograms(folder, account)
  for (const name of ['', 'one', 'two']) await giveTo(account, join(folder, name))
  await prepareCluster(programs, join(folder, 'one'), { durable: false, template: options.template })
  const rules = 'host all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n'
  await writeFile(join(primary.cluster, 'pg_hba.conf'), rules)
  await launch(programs, primary)
  await prepareDatabase(urlOf(primary))

  async function joinStandby() {
    await copyAsStandby(programs, primary, standby)
    const state = options.synchronous ? 'sync' : 'async'
    if (options.synchronous) await setSynchronous(primary, 'standby')
    await until(async () => {
      const rows = await ask<{ sync_state: string }>(
        primary,
        `select sync_state from pg_stat_replication where state = 'streaming' and replay_lsn = pg_current_wal_lsn()`,
      )
      return rows[0]?.sync_state === state
    }, 'the standby has everything')
  }
  await joinStandby()

  return {
    url: `postgres://parley@127.0.0.1:${one?.port},127.0.0.1:${two?.port}/parley?sslmode=disable&target_session_attrs=read-write`,
    primaryUrl: () => urlOf(primary),
    standbyUrl: () => urlOf(standby),
    async failOver() {
      await killAll(primary)
      ;[primary, standby] = [standby, primary]
      await ask(primary, 'select pg_promote(true, 30)')
    },
    rebuild: joinStandby,
    async close() {
      await Promise.all([killAll(primary), killAll(standby)])
    },
  }
}
