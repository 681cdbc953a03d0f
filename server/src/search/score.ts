/** How many letters may be wrong in a word of this length. */
export function editsAllowed(length: number): number {
  if (length < 4) return 0
  return length <= 7 ? 1 : 2
}

/** Letters to add, drop, replace or swap with a neighbour to get from one word to the other. */
export function distance(a: string, b: string): number {
  const [from, to] = [[...a], [...b]]
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1
      let best = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + same)
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        best = Math.min(best, (before[j - 2] as number) + 1)
      row[j] = best
    }
    before = last
    last = row
  }
  return last[to.length] as number
}

const PART_LENGTH = 3

function pointsFor(word: string, name: string): number {
  if (name === word) return 5
  if (word.length >= PART_LENGTH && name.startsWith(word)) return 4
  if (word.length >= PART_LENGTH && name.includes(word)) return 2
  const edits = editsAllowed(word.length)
  return edits > 0 && distance(word, name) <= edits ? 1 : 0
}

export interface Named {
  /** Words of the name, where typos and parts count. */
  name_words: string[]
  /** Words that count only whole. */
  other_words: string[]
  /** Whether the words match without any typo; another form of a word shows in this alone. */
  strict: boolean
}

/** How well a name matches all words of a query, from 0 to 5; undefined where one of them is not in it. */
export function scoreOf(words: readonly string[], named: Named): number | undefined {
  let sum = 0
  for (const word of words) {
    const inNames = Math.max(0, ...named.name_words.map((name) => pointsFor(word, name)))
    const inOthers = named.other_words.includes(word) ? 3 : 0
    const points = Math.max(inNames, inOthers)
    if (points === 0 && !named.strict) return undefined
    sum += points || 2
  }
  return words.length === 0 ? undefined : sum / words.length
}
