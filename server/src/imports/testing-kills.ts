import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { rocketChatDump } from '@parley/imports/testing'
import { programFile } from '../testing/program.js'

/** So many messages more, in many batches, so that kills find an import in its midst. */
export function longer(dump: ReturnType<typeof rocketChatDump>, messages: number) {
  const more = Array.from({ length: messages }, (_, index) => ({
    _id: `more${index}`,
    rid: index % 3 === 0 ? 'closed' : 'general',
    msg: `message *${index}*`,
    ts: new Date(1_600_001_000_000 + ((index * 7919) % messages) * 10),
    u: { _id: index % 2 === 0 ? 'anna' : 'boris' },
    ...(index % 10 === 1 && index % 3 === 1 && { tmid: 'root' }),
    ...(index % 7 === 0 && { reactions: { ':wave:': { usernames: ['boris', 'anna.b'] } } }),
  }))
  return { ...dump, rocketchat_message: [...(dump.rocketchat_message ?? []), ...more] }
}

export interface Kill {
  reading: boolean
  /** Of reading, or of writing. */
  step: number
  after_ms: number
}

export const isStep = ({ reading }: Kill, phase: string) => reading || phase !== 'read'

interface Where {
  database_url: string
  data_dir: string
  archive: string
}

function start({ database_url, data_dir, archive }: Where, kill: Kill | null): ChildProcess {
  const built = fileURLToPath(new URL('./testing-process.js', import.meta.url))
  const env = { DATABASE_URL: database_url, PARLEY_DATA_DIR: data_dir, KILL: JSON.stringify(kill) }
  return fork(programFile('import-process', built), [archive], {
    execArgv: [],
    env: { PATH: process.env.PATH, ...env },
  })
}

interface Kills {
  kills: number
  /** How many steps of writing there are at least: all kills but the first ones fall among them. */
  steps: number
  random: () => number
  /** Kills the database instead, every third time; the process that imports ends by itself then. */
  crash?: () => Promise<void>
  say?: (line: string) => void
}

/** Runs an import in processes that are killed at random moments, until so many were, and once more to its end. */
export async function importKilled(where: Where, { kills, steps, random, crash, say = () => {} }: Kills) {
  for (let killed = 0; ; ) {
    const reading = killed < kills / 4
    const step = 1 + Math.floor(random() * (reading ? 3 : steps / kills))
    const kill = killed < kills ? { reading, step, after_ms: random() * 20 } : null
    const crashing = kill && killed % 3 === 2 ? crash : undefined
    const child = start(where, crashing ? null : kill)
    const ended = once(child, 'exit')
    const crashed = kill && crashing ? await crashAt(child, kill, crashing) : false
    const [code] = await ended
    if (kill && (crashed || code === null)) {
      killed += 1
      const what = crashed ? 'database' : 'import'
      say(`kill ${killed}: ${what} at step ${step} of ${reading ? 'reading' : 'writing'}`)
    }
    if (code === 0) return killed
    if (code !== null && !crashed) throw new Error(`the import ended with ${code}`)
  }
}

/** Crashes the database at a step, and says whether the import was still running. */
async function crashAt(child: ChildProcess, kill: Kill, crash: () => Promise<void>): Promise<boolean> {
  await Promise.race([reached(child, kill), once(child, 'exit')])
  await wait(kill.after_ms)
  if (child.exitCode !== null) return false
  await crash()
  return true
}

function reached(child: ChildProcess, kill: Kill): Promise<void> {
  let seen = 0
  return new Promise((resolve) => {
    child.on('message', ({ phase }: { phase: string }) => {
      if (isStep(kill, phase)) seen += 1
      if (seen >= kill.step) resolve()
    })
  })
}
