import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Context } from '../platform/context.js'
import type { Question } from './matcher-thread.js'

const LIMIT_MS = 200

export interface Matcher {
  /** Whether the text matches; false as well when that cannot be said in time. */
  matches(question: Question): Promise<boolean>
}

interface Answer {
  matched: boolean
  error?: string
}

async function start(): Promise<Worker> {
  const worker = new Worker(new URL('./matcher-thread.js', import.meta.url))
  worker.unref()
  await once(worker, 'message')
  return worker
}

/**
 * Matches in a thread of its own, one text at a time: a pattern that takes too long is stopped there, and requests go
 * on meanwhile.
 */
export function createMatcher(log: Context['log']): Matcher {
  let thread: Promise<Worker> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function ask(question: Question): Promise<boolean> {
    thread ??= start()
    const worker = await thread
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), LIMIT_MS)
    })
    const heard = once(worker, 'message') as Promise<[Answer]>
    worker.postMessage(question)
    const answer = await Promise.race([heard, late])
    clearTimeout(timer)
    if (answer === 'late') {
      thread = undefined
      heard.catch(() => {})
      await worker.terminate()
      log.warn({ rule: question.rule }, 'a rule against leaks took too long and was passed over')
      return false
    }
    const [{ matched, error }] = answer
    if (error) log.warn({ rule: question.rule, error }, 'a rule against leaks cannot be applied')
    return matched
  }

  return {
    matches(question) {
      const turn = last.then(() => ask(question))
      last = turn.catch(() => {})
      return turn
    },
  }
}
