import { LRUCache } from 'lru-cache'

const KEPT = 50_000

export interface KnownWords {
  /** Whether a text may hold words that the list of words does not have. */
  isNews(text: string): boolean
  /** The words of this text are in the list now. */
  learn(text: string): void
}

/**
 * What a process knows to be in the list of words, which only ever grows. It keeps what people write between spaces,
 * as they write it: whatever words the database makes of a piece, it makes the same ones again.
 */
export function createKnownWords(): KnownWords {
  const known = new LRUCache<string, true>({ max: KEPT })
  const pieces = (text: string) => text.split(' ')
  return {
    isNews: (text) => pieces(text).some((piece) => !known.get(piece)),
    learn(text) {
      for (const piece of pieces(text)) known.set(piece, true)
    },
  }
}
