/** Who is online now, for areas that do not know of live streams. */
export interface Online {
  /** People who are active; null where this process does not know. */
  active(): number[] | null
  /** Names who knows. */
  askFrom(source: () => number[]): void
}

/** Nobody knows until the live stream is there: a process that only works in the background has none. */
export function createOnline(): Online {
  let ask: (() => number[]) | null = null
  return {
    active: () => ask?.() ?? null,
    askFrom(source) {
      ask = source
    },
  }
}
