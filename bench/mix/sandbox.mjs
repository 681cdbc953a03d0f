// A sandbox in a process of its own, with the address of its database.
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { NODE_FLAGS } from '../../scripts/node-flags.mjs'
import { programFile } from '../../server/dist/testing/program.js'
import { databaseOf, ended, freePort, makeFolder, watched } from '../machine/processes.mjs'

const CLI = programFile('parley', fileURLToPath(new URL('../../cli/dist/main.js', import.meta.url)))

async function findData(folder) {
  for (const name of await readdir(folder)) {
    const data = join(folder, name)
    const url = await databaseOf(data).catch(() => undefined)
    if (url) return { url, log: join(data, 'postgres', 'postgres.log') }
  }
  throw new Error('the sandbox left no folder with a database')
}

/** The log names the statements that waited for each other; connections from before do not know it yet. */
async function tellStatements(pool) {
  const { rows } = await pool.query('select current_database() as name')
  for (const setting of ["log_error_verbosity = 'default'", "log_min_error_statement = 'error'"])
    await pool.query(`alter database "${rows[0].name}" set ${setting}`)
  await pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )
}

/** Each with the statements of both. */
async function findDeadlocks(log) {
  const text = await readFile(log, 'utf8')
  return text.split(/^(?=\d{4}-\d\d-\d\d .*ERROR: )/m).filter((entry) => entry.includes('deadlock detected'))
}

export async function openSandbox(env = {}) {
  const folder = await makeFolder()
  const port = await freePort()
  const child = watched(
    spawn(process.execPath, [...NODE_FLAGS, CLI, 'sandbox', '--port', String(port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: folder.path, PARLEY_LOG_LEVEL: 'error', ...env },
    }),
  )
  const ready = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"base_url"')) resolve(JSON.parse(line))
      else process.stderr.write(`${line}\n`)
    })
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)))
  })
  const { url, log } = await findData(folder.path)
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => {})
  await tellStatements(pool)
  return {
    ...ready,
    pool,
    database_url: url,
    deadlocks: () => findDeadlocks(log),
    async close() {
      await pool.end()
      child.kill('SIGTERM')
      await ended(child)
      await folder.remove()
    },
  }
}
