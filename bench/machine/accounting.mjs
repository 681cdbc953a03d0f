// What processes use, read from /proc: CPU time of trees, memory, and what the rest of the machine did meanwhile.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'

const TICK_US = 1_000_000 / Number(execFileSync('getconf', ['CLK_TCK']).toString())

function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number)
    return { pid, name, parent: Number(fields[1]), own: user + system, reaped: childUser + childSystem }
  } catch {
    return undefined
  }
}

function readAll() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map((pid) => readStat(Number(pid))).filter(Boolean)
}

/** The process and everything below it. */
export function treeOf(root, all = readAll()) {
  const members = new Set([root])
  for (let grown = true; grown; ) {
    grown = false
    for (const { pid, parent } of all) {
      if (members.has(parent) && !members.has(pid)) {
        members.add(pid)
        grown = true
      }
    }
  }
  return all.filter(({ pid }) => members.has(pid))
}

const sum = (list, of) => list.reduce((total, item) => total + of(item), 0)
const spent = (processes) => sum(processes, ({ own, reaped }) => own + reaped) * TICK_US

/** CPU microseconds so far: of the machine, of everything of ours, and of each named process or tree. */
export function readCpu(named = {}) {
  const all = readAll()
  const line = readFileSync('/proc/stat', 'latin1').split('\n', 1)[0].trim().split(/\s+/).slice(1).map(Number)
  const [user, nice, system, , , , , steal] = line
  const parts = Object.fromEntries(
    Object.entries(named).map(([name, { pid, alone }]) => {
      const tree = treeOf(pid, all)
      const own = tree.filter((process) => process.pid === pid)
      const database = tree.filter((process) => process.name === 'postgres')
      if (alone) return [name, sum(own, (process) => process.own) * TICK_US]
      return [name, spent(name === 'database' ? database : tree)]
    }),
  )
  return {
    at: performance.now(),
    busy: (user + nice + system) * TICK_US,
    steal: steal * TICK_US,
    ours: spent(treeOf(process.pid, all)),
    parts,
  }
}

/** What was used between two readings; foreign and stolen time as shares of one core. */
export function cpuBetween(before, after) {
  const wall = (after.at - before.at) * 1000
  const parts = Object.fromEntries(
    Object.entries(after.parts).map(([name, us]) => [name, us - before.parts[name]]),
  )
  const ours = after.ours - before.ours
  return {
    wall_us: wall,
    foreign: Math.max(0, (after.busy - before.busy - ours) / wall),
    steal: (after.steal - before.steal) / wall,
    parts,
  }
}

function kilobytes(pid, file, field) {
  try {
    const text = readFileSync(`/proc/${pid}/${file}`, 'latin1')
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Megabytes: the process alone (resident), and its whole tree (shared pages counted once). */
export function readMemory(pid) {
  const tree = treeOf(pid)
  return {
    server_mb: kilobytes(pid, 'status', 'VmRSS') / 1024,
    tree_mb: sum(tree, (process) => kilobytes(process.pid, 'smaps_rollup', 'Pss')) / 1024,
  }
}

/** Keeps the highest memory seen, until stopped. */
export function watchMemory(pid, every_ms = 500) {
  const highest = { server_mb: 0, tree_mb: 0 }
  const look = () => {
    const now = readMemory(pid)
    for (const key of Object.keys(highest)) highest[key] = Math.max(highest[key], now[key])
  }
  const timer = setInterval(look, every_ms)
  return {
    stop() {
      clearInterval(timer)
      look()
      return highest
    },
  }
}

/** The machine in a line, without its name. */
export function describeMachine() {
  const all = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  const model = all[0]?.model.replace(/\s+/g, ' ').trim()
  return `${all.length} cores (${model}), ${memory} of memory, Linux ${release()}, Node ${process.version}`
}
