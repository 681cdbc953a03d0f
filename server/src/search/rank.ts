import type { Paging } from '../platform/http/page.js'
import type { Candidate } from './name-queries.js'
import type { Found } from './read.js'
import { scoreOf } from './score.js'

export interface Ranked {
  id: number
  created_at: Date
  score: number
  name: string
}

/** Those that do match all words, with how well; those that `below` selects are ranked below the others. */
export function rank<T extends Candidate>(
  words: readonly string[],
  candidates: readonly T[],
  below: (candidate: T) => boolean,
): Ranked[] {
  return candidates.flatMap((candidate) => {
    const score = scoreOf(words, candidate)
    if (score === undefined) return []
    const { id, created_at, name } = candidate
    return [{ id, created_at, name, score: below(candidate) ? score - 10 : score }]
  })
}

type Key = (string | number)[]

/** What results are sorted by; ties of the score go to the newer, then to the higher id. */
function keyOf(sort: string, { id, created_at, score, name }: Ranked): Key {
  if (sort === 'alphabetical') return [name, id]
  if (sort === 'creation') return [created_at.getTime(), id]
  return [score, created_at.getTime(), id]
}

function compare(a: Key, b: Key): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] as string | number
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}

/** One page of the ranked, and where it lies. */
export function pageOfRanked(ranked: readonly Ranked[], paging: Paging): Found & { ids: number[] } {
  const { position, limit } = paging
  const way = position.order === 'asc' ? 1 : -1
  const keyed = ranked.map((entry) => ({ id: entry.id, key: keyOf(position.sort, entry) }))
  keyed.sort((a, b) => way * compare(a.key, b.key))
  const at = position.at && (JSON.parse(String(position.at.value)) as Key)
  const ahead = position.back ? -way : way
  const rest = at
    ? keyed.filter(({ key }) => ahead * compare(key, at) > (position.inclusive ? -1 : 0))
    : keyed
  const page = position.back ? rest.slice(-limit) : rest.slice(0, limit)
  const placeOf = (entry: (typeof keyed)[number] | undefined) =>
    entry && { value: JSON.stringify(entry.key), id: entry.id }
  return {
    ids: page.map(({ id }) => id),
    counted: keyed.length,
    complete: true,
    top: placeOf(page[0]),
    bottom: placeOf(page.at(-1)),
    more: rest.length > limit,
    behind: rest.length < keyed.length,
  }
}
