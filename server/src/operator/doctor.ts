import { constants } from 'node:fs'
import { access, mkdir, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import pg from 'pg'
import type { Config } from '../platform/config.js'
import { inspectMigrations, migrationFault } from '../platform/db/migrate.js'
import { createOutbound } from '../platform/outbound/outbound.js'
import { loadLibrary } from '../platform/pictures/library.js'
import { readClock, readVersion } from './doctor-queries.js'
import { reachDatabase } from './reach.js'

export interface Finding {
  check: string
  state: 'ok' | 'warning' | 'failed'
  detail: string
  /** What to do about it. */
  advice?: string
}

const FREE_BYTES = 2 * 1024 ** 3
const SKEW_MS = 2_000
const OLDEST_MAJOR = 15

async function checkDisk(config: Config): Promise<Finding> {
  const check = 'disk'
  try {
    await mkdir(config.data_dir, { recursive: true })
    await access(config.data_dir, constants.W_OK)
  } catch {
    const advice = 'Give this account the folder, or set PARLEY_DATA_DIR to another one.'
    return { check, state: 'failed', detail: `${config.data_dir} cannot be written to.`, advice }
  }
  const { bavail, bsize } = await statfs(config.data_dir)
  const free = bavail * bsize
  const detail = `${(free / 1024 ** 3).toFixed(1)} GB free in ${config.data_dir}.`
  if (free >= FREE_BYTES) return { check, state: 'ok', detail }
  return {
    check,
    state: 'warning',
    detail,
    advice: 'Make room: with a full disk the database stops taking messages.',
  }
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  const reached = await reachDatabase(config).catch((error: Error) => error)
  if (reached instanceof Error) {
    const advice = config.database_url
      ? 'Check DATABASE_URL, and that the database is up and lets this host in.'
      : 'See postgres.log in the data folder.'
    return [{ check: 'database', state: 'failed', detail: reached.message, advice }]
  }
  const client = new pg.Client({ connectionString: reached.url })
  try {
    await client.connect()
    return [await checkVersion(client, reached.through), await checkSchema(client), await checkClock(client)]
  } catch (error) {
    const advice = 'Check that the database is up, and that DATABASE_URL names it.'
    return [{ check: 'database', state: 'failed', detail: (error as Error).message, advice }]
  } finally {
    await client.end().catch(() => {})
    await reached.close()
  }
}

async function checkVersion(client: pg.Client, through: string): Promise<Finding> {
  const version = await readVersion(client)
  const major = Math.floor(Number(version?.number) / 10_000)
  const detail = `PostgreSQL ${major} (${through}).`
  if (major < OLDEST_MAJOR) {
    return {
      check: 'database',
      state: 'failed',
      detail,
      advice: `Parley needs PostgreSQL ${OLDEST_MAJOR} or newer.`,
    }
  }
  if (version?.fsync !== 'on') {
    return {
      check: 'database',
      state: 'warning',
      detail: `${detail} fsync is off.`,
      advice: 'Turn fsync on, or a power cut loses messages.',
    }
  }
  return { check: 'database', state: 'ok', detail }
}

async function checkSchema(client: pg.Client): Promise<Finding> {
  const check = 'schema'
  const state = await inspectMigrations(client)
  const fault = migrationFault(state)
  if (fault) {
    const advice = 'Put the version in place that this database belongs to.'
    return { check, state: 'failed', detail: fault, advice }
  }
  const { applied, waiting } = state
  if (waiting.length === 0) return { check, state: 'ok', detail: `${applied.length} migrations applied.` }
  const detail = `${waiting.length} migrations wait.`
  const advice = 'The next start applies them; or run `parley migrate`.'
  return { check, state: 'warning', detail, advice }
}

async function checkClock(client: pg.Client): Promise<Finding> {
  const before = Date.now()
  const now = await readClock(client)
  const middle = (before + Date.now()) / 2
  const skew_ms = Math.abs((now?.getTime() ?? 0) - middle)
  const detail = `The database's clock is ${Math.round(skew_ms)} ms off ours.`
  if (skew_ms <= SKEW_MS) return { check: 'clock', state: 'ok', detail }
  return {
    check: 'clock',
    state: 'warning',
    detail,
    advice: 'Let both hosts keep time by NTP: schedules follow the clock.',
  }
}

function canListen(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', resolve)
    probe.listen(port, host, () => probe.close(() => resolve(undefined)))
  })
}

async function checkPort({ host, port }: Config): Promise<Finding> {
  const check = 'port'
  const error = await canListen(host, port)
  if (!error) return { check, state: 'ok', detail: `${host}:${port} is free.` }
  if (error.code === 'EADDRINUSE') {
    const alive = await fetch(`http://${host}:${port}/livez`).then(
      (answer) => answer.ok,
      () => false,
    )
    if (alive) return { check, state: 'ok', detail: `A server answers on ${host}:${port}.` }
    const advice = 'Stop what uses it, or set PORT to another one.'
    return { check, state: 'failed', detail: `${host}:${port} is taken by something else.`, advice }
  }
  const advice =
    error.code === 'EACCES'
      ? 'Ports below 1024 are for root: use 8080 behind a proxy.'
      : 'Check HOST and PORT.'
  return { check, state: 'failed', detail: `${host}:${port} cannot be used (${error.code}).`, advice }
}

async function checkOutbound(config: Config): Promise<Finding> {
  const outbound = createOutbound({ allow: config.outbound_allow, allowLoopback: config.loopback_only })
  const inside = await outbound.check('http://169.254.169.254/')
  await outbound.close()
  const loopback = config.loopback_only
    ? 'Loopback is allowed, since the server is reached on loopback alone.'
    : 'Loopback is refused.'
  const listed = config.outbound_allow.length ? ` Allowed besides: ${config.outbound_allow.join(', ')}.` : ''
  const detail = `Webhooks reach public addresses. ${loopback}${listed}`
  if (!inside.ok) return { check: 'outbound', state: 'ok', detail }
  const advice = 'PARLEY_OUTBOUND_ALLOW lets webhooks reach link-local addresses: narrow it.'
  return { check: 'outbound', state: 'warning', detail, advice }
}

async function checkPictures(): Promise<Finding> {
  const check = 'pictures'
  const error = await loadLibrary().then(
    () => undefined,
    (reason: Error) => reason,
  )
  if (!error) return { check, state: 'ok', detail: 'The image library is there.' }
  const detail = `The image library cannot be loaded: ${error.message.split('\n')[0]}`
  const advice = `Install the packages on this machine (${process.platform}-${process.arch}): npm ci --include=optional.`
  return { check, state: 'failed', detail, advice }
}

/** Looks at everything a server needs, and says what to do about what is wrong. */
export async function examine(config: Config): Promise<Finding[]> {
  return [
    await checkDisk(config),
    ...(await checkDatabase(config)),
    await checkPort(config),
    await checkOutbound(config),
    await checkPictures(),
  ]
}
