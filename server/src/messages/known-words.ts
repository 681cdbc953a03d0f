import type { Clock } from '../platform/clock.js'
import { keepLast } from '../platform/keep-last.js'

const KEPT = 50_000
/** Longer pieces are addresses and codes, which hardly anybody writes twice. */
const LONGEST = 40
/** Words that are in no message any more leave the list; they are marked for longer than this before. */
const KNOWN_MS = 3_600_000

export interface KnownWords {
  /** Whether a text may hold words that the list of words does not have. */
  isNews(text: string): boolean
  /** The pieces of a text that may hold such words. */
  newsIn(text: string): string[]
  /** The words of this text are in the list now. */
  learn(text: string): void
  forget(): void
}

/**
 * What a process knows to be in the list of words. It keeps what people write between spaces,
 * as they write it: whatever words the database makes of a piece, it makes the same ones again.
 */
export function createKnownWords(clock: Clock): KnownWords {
  /** When each piece was learned. */
  const known = keepLast<string, number>(KEPT)
  /** Looking at a piece does not renew its place: those that leave, and are still written, are learned again. */
  function createIsNew() {
    const since = clock.now() - KNOWN_MS
    return (piece: string) => (known.peek(piece) ?? Number.NEGATIVE_INFINITY) <= since
  }
  return {
    forget: () => known.clear(),
    isNews: (text) => text.split(' ').some(createIsNew()),
    newsIn: (text) => text.split(' ').filter(createIsNew()),
    learn(text) {
      const isNew = createIsNew()
      for (const piece of text.split(' ')) {
        // A copy: a part of a text would keep the whole of it in memory.
        if (piece.length <= LONGEST && isNew(piece)) known.set(Buffer.from(piece).toString(), clock.now())
      }
    },
  }
}
