import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Context } from '../platform/context.js'
import type { Answer, Question } from './matcher-thread.js'

/** The thread keeps the time limit itself. Beyond this it is stuck, and is replaced. */
const STUCK_MS = 10_000

/** `unknown` when the conditions could not be judged: too slow, or broken. The caller must not let the text pass. */
export type Match = 'matched' | 'not_matched' | 'unknown'

export interface Matcher {
  match(question: Question): Promise<Match>
}

async function start(): Promise<Worker> {
  const worker = new Worker(new URL('./matcher-thread.js', import.meta.url))
  worker.unref()
  await once(worker, 'message')
  return worker
}

async function answerOf(worker: Worker, question: Question): Promise<Answer> {
  const stuck = AbortSignal.timeout(STUCK_MS)
  const heard = once(worker, 'message', { signal: stuck })
  worker.postMessage(question)
  return (await heard)[0]
}

/** Matches in a thread of its own, one text at a time, so that requests go on meanwhile. */
export function createMatcher(log: Context['log']): Matcher {
  let thread: Promise<Worker> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function ask(question: Question): Promise<Match> {
    thread ??= start()
    const worker = await thread
    try {
      const answer = await answerOf(worker, question)
      if (!('error' in answer)) return answer.matched ? 'matched' : 'not_matched'
      log.warn({ rule: question.rule, error: answer.error }, 'applying a DLP rule failed')
    } catch (error) {
      thread = undefined
      void worker.terminate()
      log.warn({ rule: question.rule, err: error }, 'DLP thread failed; starting another')
    }
    return 'unknown'
  }

  return {
    match(question) {
      const turn = last.then(() => ask(question))
      last = turn.catch(() => {
        thread = undefined
      })
      return turn
    },
  }
}
