import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

export interface Thread<Question, Answer> {
  /** The answer, or undefined where there is none in time. */
  ask(question: Question): Promise<Answer | undefined>
}

/**
 * Asks one question at a time in a thread of its own, which says `ready` first and answers each message with one. A question
 * that takes too long ends the thread, and the event loop goes on meanwhile.
 */
export function createThread<Question, Answer>(
  file: URL,
  limits: { time_ms: number; memory_mb: number },
): Thread<Question, Answer> {
  let thread: Promise<Worker> | undefined
  let last: Promise<unknown> = Promise.resolve()

  async function start(): Promise<Worker> {
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: limits.memory_mb } })
    worker.unref()
    await once(worker, 'message')
    return worker
  }

  async function ask(question: Question): Promise<Answer | undefined> {
    thread ??= start()
    const worker = await thread
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), limits.time_ms)
    })
    // A thread that runs out of memory emits an error, which rejects this.
    const heard = once(worker, 'message').then(
      ([answer]) => answer as Answer,
      () => undefined,
    )
    worker.postMessage(question)
    const answer = await Promise.race([heard, late])
    clearTimeout(timer)
    if (answer === undefined) {
      thread = undefined
      await worker.terminate()
    }
    return answer
  }

  return {
    ask(question) {
      const turn = last.then(() => ask(question))
      last = turn.catch(() => {
        thread = undefined
      })
      return turn
    },
  }
}
