import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Ends processes that a killed server or postmaster left running on the cluster, and clears its pid file. */
export async function endLeftovers(cluster: string, log: (line: string) => void): Promise<void> {
  const postmaster = await readPostmaster(cluster)
  const left = await listProcesses(cluster, postmaster)
  if (postmaster && left.includes(postmaster)) {
    log(`ending PostgreSQL ${postmaster}, left by a server that was killed`)
    signal(postmaster, 'SIGINT')
    if (!(await haveEnded(cluster, postmaster, 10_000))) signal(postmaster, 'SIGQUIT')
    await haveEnded(cluster, postmaster, 2_000)
  }
  // Without their postmaster, backends in a long statement live on and hold its shared memory.
  for (const pid of await listProcesses(cluster, postmaster)) signal(pid, 'SIGKILL')
  if (!(await haveEnded(cluster, postmaster, 10_000))) {
    throw new Error(`PostgreSQL processes that cannot be ended still use ${cluster}.`)
  }
  await rm(join(cluster, 'postmaster.pid'), { force: true })
}

async function haveEnded(
  cluster: string,
  postmaster: number | undefined,
  within_ms: number,
): Promise<boolean> {
  for (const until = Date.now() + within_ms; Date.now() < until; await delay(20)) {
    if ((await listProcesses(cluster, postmaster)).length === 0) return true
  }
  return false
}

async function readPostmaster(cluster: string): Promise<number | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  return Number.parseInt(text, 10) || undefined
}

/** The PostgreSQL processes of this cluster and no other's: each works in the folder of its cluster. */
async function listProcesses(cluster: string, postmaster: number | undefined): Promise<number[]> {
  if (process.platform === 'linux') return listByWorkingFolder(cluster, postmaster)
  return postmaster && (await readCommand(postmaster)).includes(cluster) ? [postmaster] : []
}

/** The command line of a process; the postmaster's names its cluster. */
async function readCommand(pid: number): Promise<string> {
  const [file, ...args] =
    process.platform === 'win32'
      ? [
          'powershell',
          '-NoProfile',
          '-Command',
          `(Get-CimInstance Win32_Process -Filter 'ProcessId=${pid}').CommandLine`,
        ]
      : ['ps', '-ww', '-o', 'command=', '-p', `${pid}`]
  const { stdout } = await run(file!, args).catch(() => ({ stdout: '' }))
  return stdout
}

async function listByWorkingFolder(cluster: string, postmaster: number | undefined): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const found: number[] = []
  for (const pid of pids) {
    const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
    if (name !== 'postgres\n') continue
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    if (state.includes(') Z ')) continue
    const place = await readlink(`/proc/${pid}/cwd`).catch(() => null)
    // Not ours to look at, but the very process that the cluster names: rather refuse than run two on one cluster.
    if (place === cluster || (place === null && pid === postmaster)) found.push(pid)
  }
  return found
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Ended by itself, or of another user: whether it is gone is looked at afterwards.
  }
}
