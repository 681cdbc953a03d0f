import { interleave } from './machine/rounds.mjs'
import { cpuTable } from './report/print.mjs'
import { bareHooks, hookSpeed } from './suite.mjs'
import { furnish, openWorkspace } from './workspace.mjs'

const MESSAGES = Number(process.env.MESSAGES ?? 60)
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const MEASURE_MS = 2_000

/** Messages to a room with a hundred bots beside a bare client, as `npm run bench` measures them, and nothing else. */
export async function burst() {
  const space = await openWorkspace()
  try {
    await furnish(space)
    let sample = '{}'
    const hooks = hookSpeed(space, MESSAGES)
    const posted = {
      name: hooks.name,
      async run() {
        const slice = await hooks.run()
        sample = slice.sample
        return slice
      },
    }
    const bare = bareHooks(space, { measure_ms: MEASURE_MS }, () => sample)
    const figures = await interleave([posted, bare], { rounds: ROUNDS, until: 0 })
    const ratio = figures.hooks.per_second / figures.bare_hooks.per_second
    console.log(`${cpuTable(figures)}\n${ratio.toFixed(2)} × the bare client`)
  } finally {
    await space.close()
  }
}
