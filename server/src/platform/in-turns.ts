import { setImmediate as nextTurn } from 'node:timers/promises'

/** Does short work for each of many items, and lets requests be served in between. */
export async function inTurns<T>(items: readonly T[], each_turn: number, work: (item: T) => void) {
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % each_turn === 0) await nextTurn()
    work(item)
  }
}
