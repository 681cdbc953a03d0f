import type { Actor } from '../platform/actor.js'
import type { Db } from '../platform/db/index.js'
import type { Paging, Place } from '../platform/http/page.js'
import { COUNTED_AT_MOST } from '../platform/http/search-total.js'
import type { KeptMatches } from './kept-matches.js'
import type { MessageFilter } from './match-sql.js'
import type { FoundMessages } from './message-queries.js'
import { pageOfRanked } from './rank.js'
import type { Found } from './read.js'
import { type Walked, walkThrough } from './walk.js'
import { type Hit, microsecondsOf, timeOf, type Walk } from './walk-queries.js'
import type { Wanted } from './wanted-queries.js'

export interface Search {
  wanted: Wanted
  filter: MessageFilter
  paging: Paging
  app_url: string
  kept?: KeptMatches | undefined
}

/** The ids of a page in list order, its messages where they are read already, and what is known of it. */
export interface FoundIds extends Found {
  ids: number[]
  messages: FoundMessages | null
}

const NOTHING: FoundIds = {
  ids: [],
  messages: null,
  counted: 0,
  complete: true,
  top: undefined,
  bottom: undefined,
  more: false,
  behind: false,
}

/** One more than is told, so that it shows whether there are more. */
const COUNTED = COUNTED_AT_MOST + 1
/** Larger than the id of any message. */
const LAST_ID = Number.MAX_SAFE_INTEGER
/** A match of a better kind is worth this much freshness. */
const BETTER_US = 90 * 86_400 * 1e6

/** Finds messages in the chats and threads of the actor. */
export function findMessages(db: Db, actor: Actor, search: Search): Promise<FoundIds> {
  const { exact, words } = search.wanted
  const isNowhere = words.some(({ any, part }) => any.length === 0 && part === null)
  if (exact.length === 0 || isNowhere) return Promise.resolve(NOTHING)
  return search.paging.position.sort === 'relevance'
    ? findRelevant(db, actor, search)
    : findByTime(db, actor, search)
}

/**
 * By time, a page is full when its messages are found. Where a request has looked at enough messages before that, the page
 * is shorter, and its cursor goes on from there.
 */
async function findByTime(db: Db, actor: Actor, search: Search): Promise<FoundIds> {
  const { wanted, filter, paging, app_url, kept } = search
  const { at, order, back, inclusive = false } = paging.position
  const upwards = (order === 'asc') !== back
  const told = paging.limit + 1
  const all: Walk = { actor, wanted, filter, upwards, from: null, told, scored: false, page: null }
  const walk: Walk = { ...all, page: { limit: paging.limit, back, app_url } }
  if (!at && !back) {
    const walked = await walkThrough(db, walk, { counted: COUNTED, told }, kept)
    return { ...totals(walked), ...pageByTime(walked, paging, upwards), behind: false }
  }
  const from = at && { at: String(at.value), id: Number(at.id), inclusive }
  const total = await walkThrough(
    db,
    { ...all, upwards: order === 'asc', told: COUNTED },
    { counted: COUNTED, told: 0 },
    kept,
  )
  // Where the matches are no more than are counted, all of them are known by now.
  if (total.next_us === null && total.counted < COUNTED) {
    const hits = back ? total.hits.toReversed() : total.hits
    const [ahead, passed] = splitAt(hits, from, upwards)
    const page = pageByTime({ ...total, hits: ahead }, paging, upwards)
    return { ...totals(total), ...page, behind: passed.length > 0 }
  }
  const page = await walkThrough(db, { ...walk, from }, { counted: 0, told })
  return { ...totals(total), ...pageByTime(page, paging, upwards), behind: await isBehind() }

  /** Whether anything lies where the cursor came from. */
  async function isBehind(): Promise<boolean> {
    if (!from) return false
    const turned = { ...from, inclusive: !inclusive }
    const { hits, next_us } = await walkThrough(
      db,
      { ...all, upwards: !upwards, from: turned, told: 1 },
      { counted: 0, told: 1 },
    )
    return hits.length > 0 || next_us !== null
  }
}

/** The matches that come next after this place, in the order in which they are given, and those before it. */
function splitAt(hits: readonly Hit[], from: Walk['from'] | undefined, upwards: boolean): [Hit[], Hit[]] {
  if (!from) return [[...hits], []]
  const us = microsecondsOf(from.at)
  const isAhead = (hit: Hit) => {
    const way = (upwards ? 1 : -1) * (hit.us - us || hit.id - from.id)
    return way > 0 || (way === 0 && from.inclusive)
  }
  return [hits.filter(isAhead), hits.filter((hit) => !isAhead(hit))]
}

function totals({ counted, next_us }: Walked) {
  return { counted, complete: next_us === null }
}

function pageByTime({ hits, next_us, messages }: Walked, { limit, position }: Paging, upwards: boolean) {
  const page = hits.slice(0, limit)
  const place = (hit: Hit | undefined): Place | undefined => hit && { value: timeOf(hit.us), id: hit.id }
  const full = hits.length > limit || next_us === null
  const end = full ? place(page.at(-1)) : { value: timeOf(next_us as number), id: upwards ? 0 : LAST_ID }
  const [near, far] = [place(page[0]) ?? end, end]
  return {
    ids: idsOf(page, position.back),
    messages,
    ...(position.back ? { top: far, bottom: near } : { top: near, bottom: far }),
    more: hits.length > limit || next_us !== null,
  }
}

function idsOf(page: readonly Hit[], back: boolean): number[] {
  const ids = page.map(({ id }) => id)
  return back ? ids.reverse() : ids
}

/** By relevance the newest thousand matches are ranked. */
async function findRelevant(db: Db, actor: Actor, { wanted, filter, paging }: Search): Promise<FoundIds> {
  const walk: Walk = {
    actor,
    wanted,
    filter,
    upwards: false,
    from: null,
    told: COUNTED_AT_MOST,
    scored: true,
    page: null,
  }
  const walked = await walkThrough(db, walk, { counted: COUNTED, told: COUNTED_AT_MOST })
  const ranked = walked.hits.slice(0, COUNTED_AT_MOST).map(({ us, id, points }) => {
    return { id, created_at: new Date(us / 1000), score: points + us / BETTER_US, name: '' }
  })
  return { ...pageOfRanked(ranked, paging), ...totals(walked), messages: null }
}
