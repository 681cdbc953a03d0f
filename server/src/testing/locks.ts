import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { World } from './world.js'

/** A transaction beside the server, which is the first to see that two wait for each other. */
export async function beginBeside(t: TestContext, { ctx }: Pick<World, 'ctx'>) {
  const client = await ctx.pool.connect()
  t.after(async () => {
    await client.query('rollback')
    client.release()
  })
  await client.query('begin')
  await client.query(`set local deadlock_timeout = '50ms'`)
  return client
}

const LOOKS = 2000

/** Returns once a statement of the server waits for a lock. */
export async function untilBlocked({ ctx }: Pick<World, 'ctx'>) {
  for (let look = 0; look < LOOKS; look += 1) {
    await wait(5)
    const { rows } = await ctx.pool.query<{ blocked: boolean }>(
      `select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as blocked`,
    )
    if (rows[0]?.blocked) return
  }
  throw new Error('no statement waits for a lock')
}
