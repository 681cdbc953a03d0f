import type { Db } from '../platform/db/index.js'
import type { KeptMatches } from './kept-matches.js'
import { isNarrowed, isPlain, mayAskForChats, readsTexts } from './match-sql.js'
import type { FoundMessages } from './message-queries.js'
import { type Edge, findAll, type Hit, type Part, type Step, stepThrough, type Walk } from './walk-queries.js'

/** Segments of the first step, and how many times more a step may look at than all before it. */
const FIRST = 1
const GROWTH = 8
/** Segments that one request looks through at most: half a million messages, fewer for many words, or 16 000 whose texts have to be read. */
const AT_MOST = 128
const [MANY_WORDS, MANY_AT_MOST] = [4, 80]
const TEXTS_AT_MOST = 4
/** Where the page is full, matches are counted among so many: 65 000 messages. */
const COUNTED_IN = 16
/** With fewer matches in the first step it is asked how rare they are. */
const FEW = 8
/** What seems to be in no more messages than this is looked up in the whole index; of several words fewer messages have to be read. */
const RARE = 3_000
const RARE_AMONG_OTHERS = 10_000
/** Up to so many segments, 131 000 messages, the whole index is looked through instead of most of it. */
const SMALL = 32

/** Up to so many messages with the words it is cheaper to look at each of them than to look up one more chat in the index. */
const LOOKED_AT_PER_CHAT = 25

export interface Walked {
  counted: number
  /** Matches in their order, none of which a later step could come before. */
  hits: Hit[]
  /** Where a next request goes on; null where everything was looked at. */
  next_us: number | null
  /** The messages of the page, where one statement has found all of them. */
  messages: FoundMessages | null
}

interface Goal {
  /** Enough matches to count, and to tell. */
  counted: number
  told: number
}

function mostOf({ wanted }: Walk): number {
  if (readsTexts(wanted)) return TEXTS_AT_MOST
  return wanted.exact.length >= MANY_WORDS ? MANY_AT_MOST : AT_MOST
}

/** What steps grow for. Of a phrase each candidate has to be read, so that steps are not made longer to count more of them. */
const goalOfSteps = ({ wanted }: Walk, { counted, told }: Goal): Goal => ({
  counted: wanted.phrases.length > 0 ? 0 : counted,
  told,
})

/** How many segments the matches so far promise to be enough. */
function promised(looked: number, found: number, goal: Goal): number {
  const missing = Math.max(goal.counted, goal.told) - found
  return found === 0 ? Number.POSITIVE_INFINITY : (looked * missing) / found
}

/** Steps grow to what is promised. */
function nextSize(looked: number, found: number, goal: Goal): number {
  return Math.ceil(Math.min(Math.max(promised(looked, found, goal), looked), looked * GROWTH))
}

/** Whether a small workspace is looked through whole, once the first step has not found enough. */
const isSmall = ({ wanted }: Walk) => wanted.newest_segment < SMALL && !readsTexts(wanted)

/** What the first step asks about rare words, and how many messages they may be in there. */
function rareIn(walk: Walk): Part['rare'] {
  const { exact, newest_segment } = walk.wanted
  if (isSmall(walk)) return null
  const rare = exact.length > 1 ? RARE_AMONG_OTHERS : RARE
  return { below: FEW, at_most: Math.floor((rare / Math.max(newest_segment, 1)) * (FIRST + 1)) }
}

/** Whether the whole index is looked through after the first step. */
function isForAll(walk: Walk, goal: Goal, { counted, rarest }: Step): boolean {
  const { wanted, filter } = walk
  const rare = rareIn(walk)
  if (rare) return rarest !== null && rarest <= rare.at_most
  const most = promised(FIRST + 1, counted, goal) * 2 > wanted.newest_segment
  return counted < FEW || (isNarrowed(wanted, filter) && most)
}

/** Whether a step asks the index for the chats of the actor: where too many messages seem to have the words to look at each. */
function asksForChats({ wanted }: Walk, candidates: number): boolean {
  if (!mayAskForChats(wanted)) return false
  return !isPlain(wanted) || candidates > wanted.chats.length * LOOKED_AT_PER_CHAT
}

/** How many messages of the whole index seem to have the words, after the first step. */
function inAll({ wanted }: Walk, { candidates }: Step): number {
  return (candidates / (FIRST + 1)) * wanted.newest_segment
}

/** Goes through the messages the way of the walk until enough is found, everything was looked at, or enough of it. */
export async function walkThrough(db: Db, walk: Walk, goal: Goal, kept?: KeptMatches): Promise<Walked> {
  const limit = mostOf(walk)
  const order = (a: Hit, b: Hit) => (walk.upwards ? 1 : -1) * (a.us - b.us || a.id - b.id)
  let [counted, looked, size] = [0, 0, FIRST]
  let hits: Hit[] = []
  let after: Edge | null = null
  let messages: FoundMessages | null = null
  /** Messages with the words in a segment, as the first step has found them. */
  let dense = 0
  /** What is kept, where the search was asked before. */
  let known = (await kept?.open(db, walk)) ?? null
  for (;;) {
    const wanted: Walk = messages ? { ...walk, page: null } : walk
    // The messages of a page come with the step that fills it, so that step is given what was found before.
    const found = wanted.page ? hits : []
    const rare = after === null ? rareIn(walk) : null
    const by_chats = asksForChats(walk, dense * size)
    const part: Part = { after, segments: size, found, rare, dense, by_chats }
    const step = await take(wanted, part)
    const { next_us, last } = step
    counted += step.counted
    looked += size + (after === null ? 1 : 0)
    hits = wanted.page ? step.hits : [...hits, ...step.hits].sort(order)
    if (step.ids.length > 0) messages = step
    if (next_us === null || last === null) return { counted, hits, next_us: null, messages }
    const settled = hits.filter(({ us }) => (walk.upwards ? us < next_us : us > next_us))
    const enough = settled.length >= goal.told && (counted >= goal.counted || looked >= COUNTED_IN)
    if (after === null && !known) {
      if (!enough && isForAll(walk, goal, step)) {
        const all = await findAll(
          db,
          messages ? { ...walk, page: null } : walk,
          asksForChats(walk, inAll(walk, step)),
        )
        return { counted: all.counted, hits: all.hits, next_us: null, messages: messages ?? all }
      }
      kept?.remember(walk)
    }
    if (enough || looked >= limit) return { counted, hits: settled, next_us, messages }
    if (after === null) dense = step.candidates / looked
    after = last
    const most = settled.length >= goal.told ? COUNTED_IN : limit
    size = Math.min(nextSize(looked, counted, goalOfSteps(walk, goal)), most - looked)
  }

  /** A step through what is kept. Where somebody sees few of many messages with the words, the database finds them by the chats. */
  async function take(wanted: Walk, part: Part): Promise<Step> {
    const step = await known?.step(part)
    const seesFew = part.after === null && step && step.counted < FEW && asksForChats(walk, step.candidates)
    if (step && !seesFew) return step
    known = null
    return stepThrough(db, wanted, part)
  }
}
