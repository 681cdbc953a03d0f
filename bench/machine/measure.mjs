// One measured slice: a plan for the load process, and what everything used while its window was open.
import { cpuBetween, readCpu } from './accounting.mjs'
import { startChild } from './processes.mjs'

/** Above these shares of one core a slice says more of the neighbours than of us. */
export const FOREIGN_AT_MOST = 0.08
export const STEAL_AT_MOST = 0.2

export const isClean = ({ foreign, steal }) => foreign <= FOREIGN_AT_MOST && steal <= STEAL_AT_MOST

/** The load process. `run(plan, named)` gives the tally and the CPU time of the processes named. */
export function openLoad() {
  const load = startChild('../load/child.mjs')
  return {
    pid: load.pid,
    stop: load.stop,
    run(plan, named = {}) {
      return new Promise((resolve, reject) => {
        let before
        let cpu
        const parts = { ...named, load: { pid: load.pid, alone: true } }
        const heard = ({ window, result, error }) => {
          if (window === 'open') before = readCpu(parts)
          if (window === 'closed') cpu = cpuBetween(before, readCpu(parts))
          if (result === undefined && error === undefined) return
          load.child.off('message', heard)
          if (error) reject(new Error(error))
          else resolve({ ...result, ...cpu })
        }
        load.child.on('message', heard)
        load.child.send({ warm_ms: 700, measure_ms: 3000, ...plan })
      })
    },
  }
}

/** The same for work that is not the load process's: `work` returns its own tally. */
export async function measure(work, named = {}) {
  const before = readCpu(named)
  const result = await work()
  return { ...result, ...cpuBetween(before, readCpu(named)) }
}
