import type { EmbeddedPostgres } from '@parley/postgres'
import { movableClock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import { saveBaseline } from '../platform/db/baseline.js'
import { createPasswords, LEAST_COST } from '../platform/passwords.js'
import { type RunningServer, startServer } from '../serve.js'
import { controlsOf } from './controls.js'

/** Starts the server of a sandbox on a database that is running or about to. */
export async function runSandbox(
  config: Config,
  database: Promise<EmbeddedPostgres>,
): Promise<RunningServer> {
  const clock = movableClock()
  const sandbox = (running: () => RunningServer) => controlsOf(running, clock)
  // Passwords of a sandbox are nobody's: hashing one at full cost would be a third of its start.
  const passwords = createPasswords(LEAST_COST)
  const server = await startServer(config, { clock, sandbox, database, passwords, work: 'paused' })
  await saveBaseline(server.ctx.autocommit)
  for (const worker of server.workers) worker.start()
  return server
}
