/** Tabs of one browser share a stream and an outbox: one of them leads, the others listen to it. */

const SILENT_AFTER_MS = 15_000

export interface Leading {
  /** Takes the lead from a tab that the browser froze. */
  steal(): void
  close(): void
}

/**
 * Runs `work` in one tab at a time. When the leading tab closes, the lock passes on. Without Web Locks (plain http)
 * every tab works for itself.
 */
export function lead(name: string, work: (ending: AbortSignal) => Promise<void>): Leading {
  const { locks } = navigator as { locks?: LockManager }
  const closing = new AbortController()
  if (!locks) {
    void work(closing.signal)
    return { steal() {}, close: () => closing.abort() }
  }
  let queued: AbortController | undefined
  async function ask(steal: boolean) {
    const ending = new AbortController()
    const waiting = new AbortController()
    queued?.abort()
    queued = waiting
    const run = () => work(AbortSignal.any([ending.signal, closing.signal]))
    try {
      await locks?.request(name, steal ? { steal } : { signal: waiting.signal }, run)
    } catch {
      // Taken over by another tab, or this request was replaced by another one.
      ending.abort()
      if (!waiting.signal.aborted && !closing.signal.aborted) void ask(false)
    }
  }
  void ask(false)
  return {
    steal: () => void ask(true),
    close() {
      queued?.abort()
      closing.abort()
    },
  }
}

/** Whether another tab waits for the lead; true where that cannot be known. */
export async function isWaitedFor(name: string): Promise<boolean> {
  const { locks } = navigator as { locks?: LockManager }
  if (!locks) return true
  const { pending = [] } = await locks.query()
  return pending.some((lock) => lock.name === name)
}

export interface Channel<T> {
  /** Told to the other tabs, not to this one. */
  post(message: T): void
  close(): void
}

export function openChannel<T>(name: string, onMessage: (message: T) => void): Channel<T> {
  const channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }) => onMessage(data as T)
  return { post: (message) => channel.postMessage(message), close: () => channel.close() }
}

/** Calls `onSilence` when `heard` was not called for a while, and again after each further while. */
export function watchSilence(
  onSilence: () => void,
  after_ms = SILENT_AFTER_MS,
): { heard(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      heard()
      onSilence()
    }, after_ms)
  }
  heard()
  return { heard, stop: () => clearTimeout(timer) }
}

/** Waits, but no longer than until `ending`, or until the browser is online or the tab is looked at again. */
export function pause(ms: number, ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      for (const name of ['online', 'pageshow']) removeEventListener(name, done)
      document.removeEventListener('visibilitychange', done)
      ending.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    for (const name of ['online', 'pageshow']) addEventListener(name, done)
    document.addEventListener('visibilitychange', done)
    ending.addEventListener('abort', done)
    if (ending.aborted) done()
  })
}
