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

interface Where {
  database_url: string
  data_dir: string
  archive: string
}

function start({ database_url, data_dir, archive }: Where): ChildProcess {
  const built = fileURLToPath(new URL('./testing-process.js', import.meta.url))
  return fork(programFile('import-process', built), [archive], {
    execArgv: [],
    env: { PATH: process.env.PATH, DATABASE_URL: database_url, PARLEY_DATA_DIR: data_dir },
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
    const child = start(where)
    let crashed = false
    const ended = once(child, 'exit')
    if (killed < kills) {
      const reading = killed < kills / 4
      const at = 1 + Math.floor(random() * (reading ? 3 : steps / kills))
      await Promise.race([reached(child, reading, at), ended])
      await wait(random() * 20)
      if (child.exitCode === null) {
        killed += 1
        crashed = crash !== undefined && killed % 3 === 0
        if (crashed) await crash?.()
        else child.kill('SIGKILL')
        const what = crashed ? 'database' : 'import'
        say(`kill ${killed}: ${what} at step ${at} of ${reading ? 'reading' : 'writing'}`)
      }
    }
    const [code] = await ended
    if (code === 0) return killed
    if (code !== null && !crashed) throw new Error(`the import ended with ${code}`)
  }
}

function reached(child: ChildProcess, reading: boolean, steps: number): Promise<void> {
  let seen = 0
  return new Promise((resolve) => {
    child.on('message', ({ phase }: { phase: string }) => {
      if (reading || phase !== 'read') seen += 1
      if (seen >= steps) resolve()
    })
  })
}
