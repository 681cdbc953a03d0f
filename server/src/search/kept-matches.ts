/**
 * A hot path: which messages have a common word is the same for everybody, and nothing is added to a closed segment. So each process keeps
 * the matches of searches that are asked again, and looks up in memory which of them somebody may see.
 */
import { LRUCache } from 'lru-cache'
import type { Context } from '../platform/context.js'
import { valuesOf } from '../platform/db/array.js'
import type { Db } from '../platform/db/index.js'
import type { Searches } from '../platform/db/search-pool.js'
import { keepLast } from '../platform/keep-last.js'
import {
  type ClosedSegment,
  listMatches,
  type MatchLists,
  readClosedSegments,
  readSearchState,
  type SearchState,
} from './kept-queries.js'
import { isPlain } from './match-sql.js'
import { type Hit, type Part, type Step, timeOf, type Walk } from './walk-queries.js'
import type { Wanted } from './wanted-queries.js'

const KEPT_BYTES = 16 * 1024 * 1024
const BYTES_A_MATCH = 32
const AROUND_BYTES = 300
/** Searches that are remembered. */
const REMEMBERED = 1000
/** Matches that a search reads at most to keep them. */
const READ_AT_ONCE = 4_000

interface Matches {
  ids: Float64Array
  chat_ids: Float64Array
  root_chat_ids: Float64Array
  times_us: Float64Array
  /** The turn in which they were read: see `changed`. */
  turn: number
}

/** A walk through what is kept. */
export interface KeptWalk {
  /** Null where too much would have to be read for it. */
  step(part: Part): Promise<Step | null>
}

export interface KeptMatches {
  /** Null where the search is a new one, or not one whose matches are kept. */
  open(db: Db, walk: Walk): Promise<KeptWalk | null>
  /** The words of the search are common: when it is asked again, its matches are kept. */
  remember(walk: Walk): void
}

const numbersOf = (array: string | null) => Float64Array.from(valuesOf(array), Number)

/** The messages of the page are read when all its matches are known. */
const NO_MESSAGES = { ids: [], json: '', files: null }

const NO_LISTS: MatchLists = { ids: null, chat_ids: null, root_chat_ids: null, times_us: null }

const matchesOf = ({ ids, chat_ids, root_chat_ids, times_us }: MatchLists, turn: number): Matches => ({
  ids: numbersOf(ids),
  chat_ids: numbersOf(chat_ids),
  root_chat_ids: numbersOf(root_chat_ids),
  times_us: numbersOf(times_us),
  turn,
})

/** Only what the index alone decides, of all that the actor sees. */
function isKept({ wanted, filter, from, scored }: Walk): boolean {
  const { chat_ids, user_ids, active, span } = filter
  const filtered = chat_ids?.length || user_ids?.length || active !== undefined || span.from || span.to
  return isPlain(wanted) && !filtered && from === null && !scored
}

/** The same for searches with the same matches. */
const keyOf = ({ words, quoted }: Wanted) =>
  [quoted, ...words.map(({ any }) => any)]
    .map((part) => part.toSorted().join(' '))
    .sort()
    .join('|')

/** Closed segments, in the order of each way through time. */
interface Closed {
  state: string | null
  downwards: ClosedSegment[]
  upwards: ClosedSegment[]
}

const NONE_CLOSED: Closed = { state: null, downwards: [], upwards: [] }

async function readClosed(db: Db): Promise<Closed> {
  const { closed, segments } = await readClosedSegments(db)
  return {
    state: closed,
    downwards: segments.toSorted((a, b) => b.newest_us - a.newest_us || b.segment - a.segment),
    upwards: segments.toSorted((a, b) => a.oldest_us - b.oldest_us || a.segment - b.segment),
  }
}

/** What is kept of each database: a replica may lack changes that the primary has told of. */
export function createKeptMatches({ resets }: Pick<Context, 'resets'>): (ctx: Context) => KeptMatches {
  let all = new WeakMap<Searches, KeptMatches>()
  resets.addKept(() => {
    all = new WeakMap()
  })
  return ({ searches }) => {
    const kept = all.get(searches) ?? keepMatches()
    all.set(searches, kept)
    return kept
  }
}

function keepMatches(): KeptMatches {
  const kept = new LRUCache<string, Matches>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ ids }) => ids.length * BYTES_A_MATCH + AROUND_BYTES,
  })
  /** A number for each. */
  const asked = keepLast<string, number>(REMEMBERED)
  let numbered = 0
  /** The changes that were told, and the horizon of the state that told them. */
  let seen = new Set<number>()
  let horizon: string | null = null
  /** Grows with each change; of each segment the turn of its last one. What was read in an earlier turn is not used. */
  let turn = 1
  const changed = new Map<number, number>()
  let forgotten = 0
  let closed = NONE_CLOSED

  function forgetAll() {
    kept.clear()
    changed.clear()
    seen.clear()
    horizon = null
    closed = NONE_CLOSED
    turn += 1
    forgotten = turn
  }

  const isFresh = (segment: number, readIn: number) =>
    readIn >= (changed.get(segment) ?? 0) && readIn >= forgotten

  /** Takes in a state that was asked for with this horizon. Everything that happened before the present one is known by then. */
  function apply(state: SearchState, former: string | null) {
    if (former === null) {
      horizon ??= state.horizon
      return
    }
    if (state.missed) forgetAll()
    for (const { id, segment } of state.changes) {
      if (seen.has(id)) continue
      seen.add(id)
      turn += 1
      changed.set(segment, turn)
    }
    if (horizon !== null && BigInt(state.horizon) <= BigInt(horizon)) return
    horizon = state.horizon
    // The next state repeats no others than these.
    seen = new Set(state.changes.map(({ id }) => id))
  }

  const keyIn = (search: number, segment: number) => `${search}:${segment}`

  function find(search: number, segment: number): Matches | undefined {
    const known = kept.get(keyIn(search, segment))
    return known && isFresh(segment, known.turn) ? known : undefined
  }

  /** Reads the matches of these segments, and keeps them where nothing has changed meanwhile. */
  async function load(db: Db, wanted: Wanted, search: number, segments: readonly number[]) {
    if (segments.length === 0) return new Map<number, Matches>()
    const readIn = turn
    const rows = new Map((await listMatches(db, wanted, segments)).map((row) => [row.segment, row]))
    return new Map(
      segments.map((segment) => {
        const matches = matchesOf(rows.get(segment) ?? NO_LISTS, readIn)
        if (isFresh(segment, readIn)) kept.set(keyIn(search, segment), matches)
        return [segment, matches]
      }),
    )
  }

  return {
    remember(walk) {
      const key = keyOf(walk.wanted)
      if (!isKept(walk) || asked.has(key)) return
      numbered += 1
      asked.set(key, numbered)
    },
    async open(db, walk) {
      const { wanted, actor, upwards, told } = walk
      const search = isKept(walk) ? asked.get(keyOf(wanted)) : undefined
      if (search === undefined) return null
      const former = horizon
      const state = await readSearchState(db, actor, wanted, former)
      apply(state, former)
      // Changes are told from a horizon on: what was read before there was one could miss them.
      if (former === null) return null
      if (closed.state !== state.closed) closed = await readClosed(db)
      if (closed.state !== state.closed) return null
      const order = upwards ? closed.upwards : closed.downwards
      const [edge, way] = upwards ? (['oldest_us', 1] as const) : (['newest_us', -1] as const)
      const chats = new Set(valuesOf(state.chats).map(Number))
      const open = matchesOf(state, turn)

      return {
        async step({ after, segments, found, dense }) {
          const at = after ? order.findIndex(({ segment }) => segment === after.segment) + 1 : 0
          if (after && at === 0) return null
          const now = order.slice(at, at + segments)
          const [last, next] = [now.at(-1), order[at + segments]]
          const known = new Map(now.map(({ segment }) => [segment, find(search, segment)]))
          const missing = [...known.keys()].filter((segment) => !known.get(segment))
          // Nobody waits for all of it: each search reads a part, until everything is kept.
          const most = Math.max(1, Math.floor(READ_AT_ONCE / dense))
          const read = await load(db, wanted, search, missing.slice(0, most))
          if (missing.length > most) return null
          const all = [...known].map(([segment, matches]) => matches ?? (read.get(segment) as Matches))
          if (!after) all.push(open)
          // What is further away than a full list of matches is counted, and not told.
          const farthest = found.length < told ? null : (found[told - 1] as Hit).us
          const isNear = (us: number) => farthest === null || way * (us - farthest) <= 0
          const near = [...found]
          const counted = all.reduce((sum, matches) => sum + pick(matches, chats, isNear, near), 0)
          near.sort((a, b) => way * (a.us - b.us || a.id - b.id))
          return {
            counted,
            hits: near.slice(0, told),
            last: last ? { at: timeOf(last[edge]), segment: last.segment } : null,
            next_us: next?.[edge] ?? null,
            candidates: all.reduce((sum, { ids }) => sum + ids.length, 0),
            rarest: null,
            ...NO_MESSAGES,
          }
        },
      }
    },
  }
}

/** Counts the matches in these chats, and adds those that are near. */
function pick(
  { ids, chat_ids, root_chat_ids, times_us }: Matches,
  chats: ReadonlySet<number>,
  isNear: (us: number) => boolean,
  near: Hit[],
): number {
  let counted = 0
  for (let place = 0; place < ids.length; place += 1) {
    const [chat, root] = [chat_ids[place] as number, root_chat_ids[place] as number]
    if (!chats.has(chat) && (root === chat || !chats.has(root))) continue
    counted += 1
    const us = times_us[place] as number
    if (isNear(us)) near.push({ us, id: ids[place] as number, points: 0 })
  }
  return counted
}
