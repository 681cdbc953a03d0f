import type { Bell } from './bell.js'

/** A process that relayed is expected to go on with it for so long. */
const LEADS_MS = 250
/** It is asked so often while there is something for it to do, and looks so often once it was asked. */
const ASKS_EVERY_MS = 100
const LOOKS_EVERY_MS = 25

/** Calls at once and then every so often, until this long after it was last asked to. */
function createRepeat(every_ms: number, during_ms: number, call: () => void) {
  let until = 0
  let timer: NodeJS.Timeout | undefined
  const stop = () => {
    clearInterval(timer)
    timer = undefined
  }
  return {
    stop,
    ask() {
      until = performance.now() + during_ms
      if (timer) return
      call()
      timer = setInterval(() => (performance.now() < until ? call() : stop()), every_ms)
    },
  }
}

/**
 * Says when this process has something to relay; `sure` is false where another one may have done it. Of the processes that relayed lately
 * the one with the lowest name goes on, and the others ask it to look for what they commit: a round costs about the same for
 * one event and for twenty, so many processes with rounds of their own would cost many times as much, and so would a
 * notification for each event. This is a habit that saves work. Who may relay is decided by the lock of the round, and a process
 * that nobody relays for does it itself.
 */
export function followRelay(bell: Bell, relay: (sure: boolean) => void): () => void {
  let led_at = Number.NEGATIVE_INFINITY
  const isLed = (within_ms = LEADS_MS) => performance.now() - led_at < within_ms

  const leading = createRepeat(LOOKS_EVERY_MS, 2 * ASKS_EVERY_MS, () => relay(true))
  let asked_at = Number.NEGATIVE_INFINITY
  function askLeader() {
    if (performance.now() - asked_at < ASKS_EVERY_MS) return
    asked_at = performance.now()
    bell.ring('passed')
  }
  let check: NodeJS.Timeout | undefined
  /** The leader may have ended just now. */
  function checkLater() {
    check ??= setTimeout(() => {
      check = undefined
      if (!isLed(ASKS_EVERY_MS)) relay(false)
    }, ASKS_EVERY_MS)
  }

  const unhooks = [
    bell.on('relayed', (from) => {
      if (from !== undefined && from < bell.name) led_at = performance.now()
    }),
    bell.on('passed', (from) => {
      if (from !== undefined && !isLed()) leading.ask()
    }),
    bell.serve('events', (from) => {
      if (!isLed()) return relay(true)
      // What another process rings for, the leader has heard as well.
      if (from === undefined) askLeader()
      checkLater()
    }),
  ]
  return () => {
    leading.stop()
    clearTimeout(check)
    for (const unhook of unhooks) unhook()
  }
}
