import { realpath } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { openAccess } from './access.js'
import { chooseAccount } from './account.js'
import { prepareCluster, prepareDatabase } from './cluster.js'
import { endLeftovers } from './leftovers.js'
import { lockFolder } from './lock.js'
import { openLogFile } from './log-file.js'
import { choosePlace, makeFolder } from './place.js'
import { choosePrograms } from './programs.js'
import { supervise } from './supervise.js'

/** A running database. It does not keep the process alive, and ends with it at the latest. */
export interface EmbeddedPostgres {
  url: string
  version: string
  folder: string
  /** Where the cluster is: another place than the folder where its account cannot reach that. */
  place: string
  /** The postmaster of the moment: another one after an unexpected end. */
  readonly pid: number
  stop(): Promise<void>
  /** Called when PostgreSQL ends unasked. It is being started again under the same url; the pool reconnects. */
  onExit(listener: (detail: string) => void): void
}

export interface EmbeddedOptions {
  /** A folder of its own; made when it is not there. */
  folder: string
  /** False gives up surviving a crash for speed: for test clusters only. */
  durable?: boolean
  maxConnections?: number
  /** What `saveTemplate` kept: a first start copies it instead of running initdb. */
  template?: string
  log?: (line: string) => void
}

/** Starts the PostgreSQL that comes with the server on a data folder that no other server uses. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { durable = true, maxConnections = 100, log = () => {} } = options
  await makeFolder(options.folder)
  const folder = await realpath(options.folder)
  // What is open so far, closed in turn from the last to the first.
  const opened: (() => Promise<void>)[] = []
  try {
    const lock = await lockFolder(folder)
    opened.unshift(lock.release)
    const account = await chooseAccount(join(folder, 'cluster'))
    const place = await choosePlace(folder, account, durable)
    opened.unshift(place.close)
    // Two folders may lead to one place, where somebody copied the link.
    if (place.path !== folder) opened.unshift((await lockFolder(place.path)).release)
    const programs = await choosePrograms(place.path, account)
    await endLeftovers(join(place.path, 'cluster'), log)
    const cluster = await prepareCluster(programs, place.path, options)
    await place.link()
    const access = await openAccess({ folder, place: place.path, cluster, account })
    opened.unshift(access.close)
    const logFile = await openLogFile(join(folder, 'postgres.log'))
    opened.unshift(logFile.close)
    const settings = { ...settingsFor(durable, maxConnections), ...access.settings }
    const postmaster = await supervise({ programs, cluster, settings, logFile, log })
    opened.unshift(postmaster.stop)
    const url = await access.open()
    await prepareDatabase(url)

    let stopped: Promise<void> | undefined
    return {
      url,
      version: programs.version,
      folder,
      place: place.path,
      get pid() {
        return postmaster.pid()
      },
      onExit: postmaster.onExit,
      stop: () => {
        stopped ??= closeAll(opened)
        return stopped
      },
    }
  } catch (error) {
    await closeAll(opened)
    throw error
  }
}

async function closeAll(opened: (() => Promise<void>)[]): Promise<void> {
  for (const close of opened) await close()
}

function settingsFor(durable: boolean, maxConnections: number): Record<string, string> {
  const safe = durable ? 'on' : 'off'
  return {
    max_connections: `${maxConnections}`,
    shared_buffers: `${sharedBuffersMb()}MB`,
    jit: 'off',
    fsync: safe,
    synchronous_commit: safe,
    full_page_writes: safe,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    // The texts of statements and the values of rows are people's messages: they stay out of the log.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  }
}

/** An eighth of the memory we may use, 256 MB at most. */
function sharedBuffersMb(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.max(16, Math.min(256, Math.floor(bytes / 8 / 1024 / 1024)))
}
