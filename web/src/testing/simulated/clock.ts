/** Time that passes only when a test lets it, and the tasks that wait for it. */

/** Whose tasks they are: those of a frozen page wait, those of a page that is gone never run. */
export interface Owner {
  life: 'alive' | 'frozen' | 'gone'
}

interface Task {
  at_ms: number
  order: number
  owner: Owner | null
  run(): void
}

export interface Clock {
  now(): number
  /** Gives a number to cancel it by. */
  after(ms: number, owner: Owner | null, run: () => void): number
  cancel(order: number): void
  /** What became due while the page was frozen is done now. */
  thaw(owner: Owner): void
  /** As when the machine sleeps: what became due meanwhile is done after it. */
  sleep(ms: number): void
  /** Lets time pass, task by task; `between` is called after each. */
  pass(ms: number, between?: () => void): Promise<void>
}

/** Every promise that can go on has done so. */
const settled = () => new Promise<void>((resolve) => process.nextTick(resolve))

export function createClock(start_ms: number): Clock {
  let now = start_ms
  let last = 0
  let tasks: Task[] = []
  let held: Task[] = []

  function add(task: Task) {
    let place = tasks.length
    while (place > 0 && isBefore(task, tasks[place - 1] as Task)) place -= 1
    tasks.splice(place, 0, task)
  }
  const isBefore = (one: Task, other: Task) =>
    one.at_ms < other.at_ms || (one.at_ms === other.at_ms && one.order < other.order)

  return {
    now: () => now,
    after(ms, owner, run) {
      last += 1
      add({ at_ms: now + Math.max(0, ms), order: last, owner, run })
      return last
    },
    cancel(order) {
      tasks = tasks.filter((task) => task.order !== order)
      held = held.filter((task) => task.order !== order)
    },
    thaw(owner) {
      owner.life = 'alive'
      const due = held.filter((task) => task.owner === owner)
      held = held.filter((task) => task.owner !== owner)
      // In the order in which they became due.
      due.forEach((task, index) => {
        add({ ...task, at_ms: now + index / 1000 })
      })
    },
    sleep(ms) {
      now += ms
    },
    async pass(ms, between) {
      const until = now + ms
      await settled()
      for (let next = tasks[0]; next && next.at_ms <= until; next = tasks[0]) {
        tasks.shift()
        now = Math.max(now, next.at_ms)
        if (next.owner?.life === 'frozen') held.push(next)
        else if (next.owner?.life !== 'gone') {
          next.run()
          await settled()
          between?.()
        }
      }
      now = until
    },
  }
}

const MODULUS = 2 ** 31 - 1
const MULTIPLIER = 48_271

/** The same numbers for the same seed, from 0 to 1: a multiplicative generator. */
export function createRandom(seed: number): () => number {
  let state = (seed % (MODULUS - 1)) + 1
  const next = () => {
    state = (state * MULTIPLIER) % MODULUS
    return state / MODULUS
  }
  // The first numbers of neighbouring seeds are alike.
  for (let n = 0; n < 5; n += 1) next()
  return next
}
