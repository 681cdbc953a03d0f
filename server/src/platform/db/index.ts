import { createHash } from 'node:crypto'
import { type CompiledQuery, Kysely, PostgresDialect, type RawBuilder, type Transaction } from 'kysely'
import pg from 'pg'
import { CopyText, sendCopy } from './copy.js'
import { isPlanOutdated } from './failures.js'
import { fixedPrimary, type Primary } from './primary.js'
import type { DB } from './schema.js'

export type { DB } from './schema.js'

/**
 * Reads: no write compiles on it, and raw SQL goes through `read()`. A transaction is a `Db` too, so that what reads can
 * be called inside one.
 */
export type Db = Pick<Kysely<DB>, 'selectFrom'>
/** Writes: it comes from `transaction()` alone. */
export type Tx = Transaction<DB>
/** Writes of one statement that commit by themselves: leases, settling, sweeps. */
export type Autocommit = Kysely<DB>
/** Reads by SQL text, through `rows()`, and figures of the connections. */
export type Pool = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>
/** Statements of SQL text that commit by themselves, through `writeRows()`. */
export type AutocommitPool = pg.Pool

const INT8 = 20
const INT4_ARRAY = 1007
const INT8_ARRAY = 1016

function getTypeParser(oid: number, format?: 'text' | 'binary') {
  // Our ids are below 2^53, so that a plain number holds them.
  if (oid === INT8) return Number
  return pg.types.getTypeParser(oid === INT8_ARRAY ? INT4_ARRAY : oid, format as 'text')
}

/**
 * Statements beyond this many go unnamed, so that odd texts cannot fill the memory of the database. A process that runs a
 * third of the tests asks about 1250 different ones; each connection prepares only those that it runs.
 */
const NAMED_AT_MOST = 2500
const names = new Map<string, string>()
let generation = 0

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= NAMED_AT_MOST) return known
  const name = createHash('sha1').update(text).digest('base64url') + generation
  names.set(text, name)
  return name
}

/** After a failure by a name that is still in use every statement gets another name, and is prepared again. */
function renameAll(text: string, failed: string | undefined) {
  if (names.get(text) !== failed) return
  generation += 1
  names.clear()
}

/**
 * Named statements are planned once a connection: twice the throughput of unnamed ones (docs/decisions.md). When the
 * next version of the server widens a table, statements that select all of its columns fail by their old names.
 */
class NamingClient extends pg.Client {
  constructor(
    config: pg.ClientConfig,
    private readonly named: boolean,
  ) {
    super(config)
  }

  // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads are wider than what is passed through here
  override query(...args: any[]): any {
    const [text, values, callback] = args
    if (Array.isArray(values) && values[0] instanceof CopyText)
      return sendCopy({ query: super.query.bind(this) as pg.Client['query'] }, text, values[0])
    if (!this.named || typeof text !== 'string' || !Array.isArray(values))
      return super.query(...(args as [pg.QueryConfig]))
    const name = nameOf(text)
    const again = () => ({ text, values, name: nameOf(text) })
    const mayRepeat = (error: unknown) => {
      if (!isPlanOutdated(error)) return false
      renameAll(text, name)
      // Within a transaction all of it has to be repeated: see `transaction()`.
      return this.getTransactionStatus() === 'I'
    }
    if (!callback)
      return super.query({ text, values, name }).catch((error: unknown) => {
        if (!mayRepeat(error)) throw error
        return super.query(again())
      })
    return super.query({ text, values, name } as pg.QueryConfig, (error: Error, result: pg.QueryResult) =>
      error && mayRepeat(error) ? super.query(again(), callback) : callback(error, result),
    )
  }
}

export interface PoolOptions {
  url: string | Primary
  size: number
  /** How long a connection stays open while nobody needs it, and how many stay for good, with the plans that they have made. */
  idle_ms?: number
  kept?: number
  /** Session settings, such as `plan_cache_mode`. */
  settings?: Record<string, string>
  /** How long a caller waits for a connection. */
  wait_ms?: number
  /**
   * False behind a pooler in transaction mode, which gives each transaction whichever connection is free: nothing may be
   * left on one, neither a named statement nor a setting.
   */
  keeps_sessions?: boolean
  onError: (error: Error) => void
}

/** What every connection is set to. */
export const SESSION = { timezone: 'UTC', statement_timeout: '60000', jit: 'off' }

/** Opens a pool whose statements are named and whose big integers are numbers. */
export function openPool({
  url,
  size,
  idle_ms = 20_000,
  kept = 0,
  settings = {},
  wait_ms = 15_000,
  keeps_sessions = true,
  onError,
}: PoolOptions): AutocommitPool {
  const options = Object.entries({ ...SESSION, ...settings })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
  const primary = typeof url === 'string' ? fixedPrimary(url) : url
  const pool = new pg.Pool({
    max: size,
    min: kept,
    ...(keeps_sessions ? { options } : {}),
    types: { getTypeParser: getTypeParser as typeof pg.types.getTypeParser },
    Client: clientOf(primary, keeps_sessions),
    idleTimeoutMillis: idle_ms,
    connectionTimeoutMillis: wait_ms,
    keepAlive: true,
  })
  // Without these a database that goes away takes the process with it. The driver hangs the whole client on the error.
  pool.on('error', (error: Error & { client?: unknown }) => {
    delete error.client
    onError(error)
  })
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/** Clients of whichever host takes writes; they end when another one does, also in the middle of a statement. */
function clientOf(primary: Primary, named: boolean) {
  const open = new Set<pg.Client>()
  primary.onChange(() => {
    for (const client of open) cutOff(client)
  })
  return class extends NamingClient {
    readonly #url = primary.url()

    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: primary.url() ?? undefined }, named)
      open.add(this)
      this.once('end', () => open.delete(this))
    }

    // biome-ignore lint/suspicious/noExplicitAny: the pool calls it with a callback, others without
    override connect(callback?: any): any {
      if (this.#url !== null) return super.connect(callback)
      open.delete(this)
      process.nextTick(
        callback,
        Object.assign(new Error('no host of the database takes writes'), { code: '57P03' }),
      )
    }
  }
}

/** Ends a connection without asking the other side, which may be gone. */
export function cutOff(client: pg.Client) {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}

export function openDb(pool: AutocommitPool): Autocommit {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

/** Runs raw SQL that reads, and gives its rows. */
export async function read<T>(db: Db, query: RawBuilder<T> | CompiledQuery): Promise<T[]> {
  const executor = db as Autocommit
  const result = 'execute' in query ? await query.execute(executor) : await executor.executeQuery<T>(query)
  return result.rows
}

/** Runs SQL text that reads as a named statement, and gives its rows. */
export function rows<T>(pool: Pool, text: string, values: unknown[] = []): Promise<T[]> {
  return writeRows(pool as AutocommitPool, text, values)
}

/** Runs SQL text that writes as a named statement that commits by itself, and gives the rows it returns. */
export async function writeRows<T>(pool: AutocommitPool, text: string, values: unknown[] = []): Promise<T[]> {
  const result = await pool.query(text, values)
  return result.rows as T[]
}
