import { actingFor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { findNewestText } from './message-queries.js'
import { findPage } from './search-messages.js'

/** Words long enough to be looked for by a part of them. */
const WORDS = /[\p{L}\p{N}]{4,}/gu

/** One search of each kind that has statements of its own. */
function queriesOf(text: string) {
  const [first = '', second = first] = text.match(WORDS) ?? []
  if (first === '') return []
  return [
    { query: first },
    { query: `${first} ${second}` },
    { query: `"${first} ${second}"` },
    { query: first.slice(0, 3) },
    { query: first, sort: 'relevance' as const },
  ]
}

/**
 * Searches for words of the newest message in what its author may read, and drops what is found: the first search of a process pays for
 * the plans of large statements, and for what the database reads of its tables before. Nobody should wait that tenth of a second.
 */
export async function warmUpSearch(ctx: Context) {
  try {
    const newest = await findNewestText(ctx.db)
    if (!newest) return
    const author = actingFor(newest.user_id, 'user', 'standard')
    for (const query of queriesOf(newest.text)) await findPage(ctx, author, query)
  } catch (error) {
    ctx.log.debug({ err: error }, 'search was not warmed up')
  }
}
