/** Tabs of one browser share a stream and an outbox: one of them leads, the others listen to it. */

const SILENT_AFTER_MS = 15_000

/**
 * Runs `work` in one tab at a time. When the leading tab closes, the lock passes on; `steal` takes it from a tab that
 * the browser froze. Without Web Locks (plain http) every tab works for itself.
 */
export function lead(name: string, work: (signal: AbortSignal) => Promise<void>): { steal(): void } {
  const { locks } = navigator as { locks?: LockManager }
  if (!locks) {
    void work(new AbortController().signal)
    return { steal() {} }
  }
  const ask = (steal: boolean) => {
    const ending = new AbortController()
    locks
      .request(name, steal ? { steal } : {}, () => work(ending.signal))
      .catch(() => {
        // Taken over by another tab.
        ending.abort()
        ask(false)
      })
  }
  ask(false)
  return { steal: () => ask(true) }
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

/** Calls `onSilence` when `heard` was not called for a while. */
export function watchSilence(
  onSilence: () => void,
  after_ms = SILENT_AFTER_MS,
): { heard(): void; stop(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(onSilence, after_ms)
  }
  heard()
  return { heard, stop: () => clearTimeout(timer) }
}
