import { Worker } from 'node:worker_threads'
import { TooMany } from '../../platform/problem.js'
import { READY, type RenderAnswer, type RenderRequest } from './render-messages.js'

/** From being handed to the thread, once that runs, to the text. */
const TIME_MS = 1_000
const START_MS = 30_000
const MEMORY_MB = 64
/** Of one bot; whose template is slow makes only itself wait. */
const WAITING_AT_MOST = 10

export type Rendered = { text: string } | { error: string }
type Job = Omit<RenderRequest, 'id'> & { done: (result: Rendered) => void }

export interface Renderer {
  render(botId: number, template: Omit<RenderRequest, 'id'>): Promise<Rendered>
  close(): Promise<void>
}

/** Renders templates of strangers one at a time in a thread, bots taking turns; the event loop never waits for one. */
export function createRenderer(): Renderer {
  const queues = new Map<number, Job[]>()
  let thread: Worker | undefined
  let ready = false
  let running: { id: number; job: Job; late: NodeJS.Timeout } | undefined
  let ids = 0

  function finish(result: Rendered) {
    if (!running) return
    const { job, late } = running
    clearTimeout(late)
    running = undefined
    job.done(result)
    next()
  }

  function dropThread() {
    const old = thread
    thread = undefined
    ready = false
    void old?.terminate()
  }

  function openThread(): Worker {
    const made = new Worker(new URL('./render-thread.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    })
    made.unref()
    made.on('message', (answer: RenderAnswer | typeof READY) => {
      if (thread !== made) return
      if (answer === READY) {
        ready = true
        hand()
      } else if (answer.id === running?.id)
        finish('text' in answer ? { text: answer.text } : { error: answer.error })
    })
    // Out of memory ends the thread, and what it was doing with it.
    made.on('error', () => {
      if (thread !== made) return
      dropThread()
      finish({ error: 'needs too much memory' })
    })
    return made
  }

  /** The bot that has waited since its last turn comes next: it is taken from the front and put at the back. */
  function takeNext(): Job | undefined {
    for (const [bot, jobs] of queues) {
      queues.delete(bot)
      const job = jobs.shift()
      if (jobs.length > 0) queues.set(bot, jobs)
      if (job) return job
    }
    return undefined
  }

  function giveUpAfter(wait_ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      dropThread()
      finish({ error: 'takes too long' })
    }, wait_ms)
  }

  /** Gives what is next to the thread; the time of a template runs from here. */
  function hand() {
    if (!running || !ready) return
    clearTimeout(running.late)
    running.late = giveUpAfter(TIME_MS)
    const { engine, template, body } = running.job
    thread?.postMessage({ id: running.id, engine, template, body } satisfies RenderRequest)
  }

  function next() {
    if (running) return
    const job = takeNext()
    if (!job) return
    thread ??= openThread()
    ids += 1
    running = { id: ids, job, late: giveUpAfter(START_MS) }
    hand()
  }

  return {
    render(botId, template) {
      const jobs = queues.get(botId) ?? []
      if (jobs.length >= WAITING_AT_MOST) throw new TooMany(1)
      return new Promise((done) => {
        jobs.push({ ...template, done })
        queues.set(botId, jobs)
        next()
      })
    },
    async close() {
      await thread?.terminate()
    },
  }
}
