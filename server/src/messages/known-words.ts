import { LRUCache } from 'lru-cache'

const KEPT = 50_000
/** Longer pieces are addresses and codes, which hardly anybody writes twice. */
const LONGEST = 40

export interface KnownWords {
  /** Whether a text may hold words that the list of words does not have. */
  isNews(text: string): boolean
  /** The words of this text are in the list now. */
  learn(text: string): void
  forget(): void
}

/**
 * What a process knows to be in the list of words, which only ever grows. It keeps what people write between spaces,
 * as they write it: whatever words the database makes of a piece, it makes the same ones again.
 */
export function createKnownWords(): KnownWords {
  const known = new LRUCache<string, true>({ max: KEPT })
  return {
    forget: () => known.clear(),
    isNews: (text) => text.split(' ').some((piece) => !known.has(piece)),
    learn(text) {
      for (const piece of text.split(' ')) {
        // A copy: a part of a text would keep the whole of it in memory.
        if (piece.length <= LONGEST) known.set(Buffer.from(piece).toString(), true)
      }
    },
  }
}
