import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { programFile } from './program.js'
import { retireShared } from './stage.js'
import type { World } from './world.js'

export interface WorkerProcess {
  process: ChildProcess
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

/** Starts another process on the database and folder of a world, which does background work alone. */
export async function spawnWorker(
  t: TestContext,
  { ctx }: Pick<World, 'ctx'>,
  env: Record<string, string> = {},
): Promise<WorkerProcess> {
  retireShared()
  const built = fileURLToPath(new URL('./worker-process.js', import.meta.url))
  const child = fork(programFile('worker-process', built), {
    // Without the source maps and the reporter of a test process.
    execArgv: [],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: ctx.config.database_url ?? '',
      PARLEY_DATA_DIR: ctx.config.data_dir,
      PARLEY_PUBLIC_URL: ctx.config.public_url,
      PARLEY_POOL_SIZE: '8',
      PARLEY_LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
      PARLEY_RUN: 'worker',
      ...env,
    },
  })
  const ended = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  t.after(kill)
  await Promise.race([
    once(child, 'message'),
    ended.then(() => {
      throw new Error('the worker ended before it was up')
    }),
  ])
  return { process: child, kill }
}
