/** Something that works in the background of a process. */
export interface Worker {
  name: string
  start(): void
  /** Ends after what is under way, or after the time given at the latest. */
  stop(timeout_ms: number): Promise<void>
  /** Does everything that is due now and says how much that was; 0 means idle. */
  drain(): Promise<number>
}

/** Runs `step` whenever woken, at least every `every_ms`, never twice at once; a step that did work runs again. */
export function loop(options: {
  name: string
  every_ms: number
  step: () => Promise<number>
  wake: (listener: () => void) => () => void
  onError: (error: unknown) => void
  /** How long to rest after a step that did work: what can wait leaves the cores to requests, and does more at once. */
  rest?: (took_ms: number) => number
}): Worker {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<number> | undefined
  let again = false
  let stopped = true
  let unhook: (() => void) | undefined

  let wake: (() => void) | undefined
  function resting(ms: number): Promise<void> {
    return new Promise((resolve) => {
      wake = resolve
      setTimeout(resolve, ms).unref()
    })
  }

  async function run(): Promise<number> {
    let total = 0
    do {
      again = false
      try {
        const began = performance.now()
        const done = await options.step()
        total += done
        if (done === 0) continue
        again = true
        if (options.rest && !stopped) await resting(options.rest(performance.now() - began))
      } catch (error) {
        options.onError(error)
        break
      }
    } while (again && !stopped)
    return total
  }

  function turn(): Promise<number> {
    if (running) {
      again = true
      return running
    }
    running = run().finally(() => {
      running = undefined
    })
    return running
  }

  function tick() {
    if (stopped) return
    void turn().finally(() => {
      if (stopped) return
      clearTimeout(timer)
      timer = setTimeout(tick, options.every_ms)
    })
  }

  return {
    name: options.name,
    start() {
      stopped = false
      unhook = options.wake(() => void (stopped ? 0 : turn()))
      tick()
    },
    async stop(timeout_ms) {
      stopped = true
      wake?.()
      unhook?.()
      clearTimeout(timer)
      const late = new Promise<void>((resolve) => setTimeout(resolve, timeout_ms).unref())
      await Promise.race([running?.then(() => undefined), late])
    },
    async drain() {
      if (stopped) return options.step()
      return turn()
    },
  }
}
