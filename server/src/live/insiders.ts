import { keepLast } from '../platform/keep-last.js'

const KEPT = 1_000

type Ask = (key: number, ids: number[]) => Promise<Iterable<number>>

/** Who of many is inside: of a chat, or of what a guest sees. Everybody is asked about once, until what was heard is forgotten. */
export function createInsiders(ask: Ask) {
  const known = keepLast<number, Map<number, boolean>>(KEPT)
  let generation = 0

  return {
    async among(key: number, ids: readonly number[]): Promise<Set<number>> {
      const began = generation
      const answers = known.get(key) ?? new Map<number, boolean>()
      const fresh = ids.filter((id) => !answers.has(id))
      if (fresh.length > 0) {
        const inside = new Set(await ask(key, fresh))
        for (const id of fresh) answers.set(id, inside.has(id))
        // What was forgotten meanwhile may have been read before the change.
        if (began === generation) known.set(key, answers)
      }
      return new Set(ids.filter((id) => answers.get(id)))
    },
    forget() {
      generation += 1
      known.clear()
    },
  }
}
