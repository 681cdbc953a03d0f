import type { Context } from '../context.js'
import { Problem } from '../problem.js'
import type { Db } from './index.js'

const CANCELED = '57014'
const NO_CONNECTION = 'timeout exceeded when trying to connect'

function isTimeout(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === CANCELED || message === NO_CONNECTION
}

/** Runs a search within its budget of time; 504 beyond. */
export async function runSearch<T>(ctx: Context, work: (db: Db) => Promise<T>): Promise<T> {
  try {
    return await work(ctx.searches)
  } catch (error) {
    if (isTimeout(error)) throw new Problem(504, 'timeout')
    throw error
  }
}
