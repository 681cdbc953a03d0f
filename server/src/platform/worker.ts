/** Something that works in the background of a process. */
export interface Worker {
  name: string
  start(): void
  /** Ends after what is under way, or after the time given at the latest. */
  stop(timeout_ms: number): Promise<void>
  /** Does everything that is due now and says how much that was; 0 means idle. */
  drain(): Promise<number>
}

interface Loop {
  name: string
  every_ms: number
  step: () => Promise<number>
  wake: (listener: () => void) => () => void
  onError: (error: unknown) => void
  /** Whether a step that did this much may have left work that nothing will wake the loop for; true where not given. */
  leaves?: (done: number) => boolean
  /**
   * How long to rest before the next step of a turn: what can wait leaves the cores to requests, and does more at once.
   * `steps` counts those of the turn, `done` is what the last one did.
   */
  rest?: (took_ms: number, steps: number, done: number) => number
  /** Whether a turn that is stopped takes one more step, for what came while it rested. */
  finishes?: boolean
}

/** A pause that can be cut short. */
function createPause() {
  let end: (() => void) | undefined
  return {
    for: (ms: number) =>
      new Promise<void>((resolve) => {
        end = resolve
        setTimeout(resolve, ms).unref()
      }),
    end: () => end?.(),
  }
}

/** Steps that never overlap: one that left work, or during which another was asked for, is followed by the next. */
function createTurns({ step, leaves = () => true, rest = () => 0, finishes = false, onError }: Loop) {
  const pause = createPause()
  let hurried = 0
  let running: Promise<number> | undefined
  let again = false
  let stopped = true

  async function run(): Promise<number> {
    let total = 0
    let steps = 0
    let last = finishes ? 1 : 0
    do {
      again = false
      try {
        const began = performance.now()
        const done = await step()
        total += done
        steps += 1
        if (done === 0) continue
        again ||= leaves(done)
        const rest_ms = again && !stopped ? rest(performance.now() - began, steps, done) : 0
        if (rest_ms > 0 && hurried === 0) await pause.for(rest_ms)
      } catch (error) {
        onError(error)
        break
      }
    } while (again && (!stopped || last-- > 0))
    return total
  }

  return {
    isStopped: () => stopped,
    start() {
      stopped = false
    },
    stop() {
      stopped = true
      pause.end()
    },
    /** The turn that is under way, or a new one. */
    take(): Promise<number> {
      if (running) again = true
      running ??= run().finally(() => {
        running = undefined
      })
      return running
    },
    /** The same without rests. */
    async hurry(): Promise<number> {
      hurried += 1
      pause.end()
      return this.take().finally(() => {
        hurried -= 1
      })
    },
    ended: () => running,
  }
}

/** Runs `step` whenever woken, at least every `every_ms`, never twice at once; a step that left work runs again. */
export function loop(options: Loop): Worker {
  const turns = createTurns(options)
  let timer: NodeJS.Timeout | undefined
  let unhook: (() => void) | undefined

  function tick() {
    if (turns.isStopped()) return
    void turns.take().finally(() => {
      if (turns.isStopped()) return
      clearTimeout(timer)
      timer = setTimeout(tick, options.every_ms)
    })
  }

  return {
    name: options.name,
    start() {
      turns.start()
      unhook = options.wake(() => void (turns.isStopped() ? 0 : turns.take()))
      tick()
    },
    async stop(timeout_ms) {
      turns.stop()
      unhook?.()
      clearTimeout(timer)
      const late = new Promise<void>((resolve) => setTimeout(resolve, timeout_ms).unref())
      await Promise.race([turns.ended()?.then(() => undefined), late])
    },
    async drain() {
      return turns.isStopped() ? options.step() : turns.hurry()
    },
  }
}
