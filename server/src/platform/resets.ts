/** What this process keeps in memory about rows, cleared when a sandbox or a test puts all rows back to the start. */
export interface Resets {
  add(reset: () => unknown): void
  run(): Promise<void>
}

/** Makes the list of functions that clear caches; code that keeps rows in memory adds its own. */
export function createResets(): Resets {
  const all: (() => unknown)[] = []
  return {
    add: (reset) => void all.push(reset),
    async run() {
      for (const reset of all) await reset()
    },
  }
}
