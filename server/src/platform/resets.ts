/** What this process keeps in memory, cleared when a sandbox or a test puts all rows back to the start. */
export interface Resets {
  add(reset: () => unknown): void
  /** Of what is kept of rows. It also goes when the database was lost: another host may have taken over that lacks the last writes. */
  addKept(forget: () => void): void
  run(): Promise<void>
  forgetKept(): void
}

/** Makes the list of functions that clear caches; code that keeps rows in memory adds its own. */
export function createResets(): Resets {
  const all: (() => unknown)[] = []
  const kept: (() => void)[] = []
  const forgetKept = () => {
    for (const forget of kept) forget()
  }
  return {
    add: (reset) => void all.push(reset),
    addKept: (forget) => void kept.push(forget),
    async run() {
      forgetKept()
      for (const reset of all) await reset()
    },
    forgetKept,
  }
}
