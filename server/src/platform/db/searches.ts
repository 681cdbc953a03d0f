import type { Context } from '../context.js'
import { Problem } from '../problem.js'
import type { Db } from './index.js'

const CANCELED = '57014'
const NO_CONNECTION = 'timeout exceeded when trying to connect'

/** The caller hung up: an answer for the log and the metrics alone. */
const GONE = 499

function isTimeout(error: unknown): boolean {
  const { code, message, name } = error as { code?: string; message?: string; name?: string }
  return code === CANCELED || name === 'AbortError' || message === NO_CONNECTION
}

/** Runs a search within its budget of time, and while somebody waits for it; 504 beyond, 499 when nobody waits. */
export async function runSearch<T>(
  ctx: Context,
  work: (db: Db) => Promise<T>,
  gone?: AbortSignal,
): Promise<T> {
  try {
    return await ctx.searches.run(work, gone)
  } catch (error) {
    if (!isTimeout(error)) throw error
    if (gone?.aborted) throw new Problem(GONE, 'timeout', { message: 'the caller hung up' })
    throw new Problem(504, 'timeout', { message: 'the search took too long: use more letters, or narrow it' })
  }
}
