// Three server processes on one database, any of which may be killed at any moment and comes back; or on a primary with
// a standby, which changes places with it when it is killed.
import { join } from 'node:path'
import { pino } from 'pino'
import { startEmbeddedPostgres } from '../../postgres/dist/index.js'
import { openPair } from '../../postgres/dist/testing-pair.js'
import { openPool } from '../../server/dist/platform/db/index.js'
import { openPrimary } from '../../server/dist/platform/db/primary.js'
import { freePort, makeFolder, startServer } from '../machine/processes.mjs'

const SERVERS = 3
export const OWNER_TOKEN = 'the-token-of-the-owner-of-this-torture'

/** Commits wait for the standby, so that no answered write may be lost. */
async function openStandby(folder) {
  const pair = await openPair(folder, { synchronous: true })
  return { url: pair.url, pair, stop: pair.close }
}

export async function openCluster({
  say,
  servers: count = SERVERS,
  redis_url,
  limits = false,
  env: more = {},
  failover,
  drain_s = 0,
}) {
  const folder = await makeFolder()
  const place = join(folder.path, 'database')
  const postgres = failover
    ? await openStandby(place)
    : await startEmbeddedPostgres({ folder: place, log: say })
  const ports = []
  for (let n = 0; n < count; n += 1) ports.push(await freePort())
  const env = (n) => ({
    DATABASE_URL: postgres.url,
    PORT: String(ports[n]),
    PARLEY_LOG_LEVEL: 'silent',
    PARLEY_DRAIN_SECONDS: String(drain_s),
    PARLEY_OWNER_TOKEN: OWNER_TOKEN,
    PARLEY_PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
    PARLEY_RATE_LIMITS: limits ? 'on' : 'off',
    ...(redis_url ? { REDIS_URL: redis_url } : {}),
    ...more,
  })
  const start = (n) => startServer({ folder: join(folder.path, 'files'), env: env(n), quiet: true })
  const running = [await start(0)]
  for (let n = 1; n < count; n += 1) running.push(await start(n))
  const primary = await openPrimary(postgres.url, pino({ level: 'silent' }))
  const pool = openPool({ url: primary, size: 3, onError: () => {} })
  let closing = false

  /** A start that meets a database that is away fails, and is tried again. */
  async function revive(n) {
    while (!closing) {
      const server = await start(n).catch(() => undefined)
      if (server) {
        running[n] = server
        return
      }
      await new Promise((resolve) => setTimeout(resolve, 300))
    }
  }

  const reviving = new Set()
  let killed
  return {
    folder: folder.path,
    pool,
    primary,
    pair: postgres.pair,
    urls: ports.map((port) => `http://127.0.0.1:${port}`),
    servers: () => running,
    database_pid: () => postgres.pid,
    async killServer(n) {
      if (!running[n]) return false
      const server = running[n]
      running[n] = undefined
      await server.kill()
      const again = revive(n).finally(() => reviving.delete(again))
      reviving.add(again)
      return true
    },
    /** As a new version is rolled out: it is told to stop, ends, and starts again. */
    async restartServer(n) {
      await running[n].stop()
      running[n] = await start(n)
    },
    /** False where it has just died and is not back yet. */
    killDatabase() {
      try {
        process.kill(postgres.pid, 'SIGKILL')
      } catch {
        return false
      }
      killed = postgres.pid
      return true
    },
    /** Waits until everything is up and answers. */
    async whole() {
      // Servers may answer a moment longer: a connection outlives the process that opened it.
      while (killed !== undefined && postgres.pid === killed)
        await new Promise((resolve) => setTimeout(resolve, 20))
      await Promise.all([...reviving])
      for (const port of ports) {
        for (;;) {
          const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined)
          if (answer?.ok) break
          await new Promise((resolve) => setTimeout(resolve, 200))
        }
      }
    },
    async close() {
      closing = true
      await Promise.all([...reviving])
      await Promise.all(running.map((server) => server?.stop()))
      await pool.end()
      primary.close()
      await postgres.stop()
      await folder.remove()
    },
  }
}
