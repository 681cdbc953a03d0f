// Counts what happened inside the window that is measured, and how long each took.

/** `note(ms, ok)` counts only between `begin()` and `end()`. */
export function createTally() {
  let open = false
  let began = 0
  let ended = 0
  let failed = 0
  let times = []
  const failures = {}
  return {
    begin() {
      open = true
      began = performance.now()
    },
    end() {
      open = false
      ended = performance.now()
    },
    note(ms, ok, what) {
      if (!open) return
      if (ok) times.push(ms)
      else {
        failed += 1
        failures[what] = (failures[what] ?? 0) + 1
      }
    },
    result() {
      const sorted = Float64Array.from(times).sort()
      times = []
      const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? null
      const seconds = (ended - began) / 1000
      return {
        count: sorted.length,
        failed,
        failures,
        seconds,
        per_second: sorted.length / seconds,
        p50_ms: at(0.5),
        p90_ms: at(0.9),
        p99_ms: at(0.99),
        max_ms: sorted.at(-1) ?? null,
      }
    },
  }
}

/** Warms up, then measures; notifies the parent when the window opens and closes. */
export async function window(tally, { warm_ms, measure_ms }, tell) {
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  await sleep(warm_ms)
  tell('open')
  tally.begin()
  await sleep(measure_ms)
  tally.end()
  tell('closed')
}
