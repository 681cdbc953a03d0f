import { Worker } from 'node:worker_threads'
import { READY, type RenderAnswer, type RenderRequest } from './render-messages.js'

const START_MS = 30_000
const MEMORY_MB = 64

export type Template = Omit<RenderRequest, 'id'>
/** `late` where the template took more than it was given, of time or of memory, and cost its thread. */
export type Rendered = { text: string } | { error: string; late?: true }

/** A thread that renders one template at a time, and is replaced when a template takes too long or too much. */
export interface RenderSlot {
  render(template: Template, limit_ms: number): Promise<Rendered>
  close(): Promise<void>
}

interface Running {
  id: number
  template: Template
  limit_ms: number
  timer: NodeJS.Timeout
  done: (result: Rendered) => void
}

interface ThreadListener {
  ready(): void
  answered(answer: RenderAnswer): void
  failed(): void
}

/** A thread that is started when it is needed. One that was dropped is not heard any more. */
function createThread(listener: ThreadListener) {
  let thread: Worker | undefined
  let ready = false

  function drop() {
    const old = thread
    thread = undefined
    ready = false
    return old?.terminate()
  }

  return {
    drop,
    isReady: () => ready,
    send: (request: RenderRequest) => thread?.postMessage(request),
    start() {
      if (thread) return
      const made = new Worker(new URL('./render-thread.js', import.meta.url), {
        resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      })
      thread = made
      made.unref()
      made.on('message', (answer: RenderAnswer | typeof READY) => {
        if (thread !== made) return
        if (answer !== READY) return listener.answered(answer)
        ready = true
        listener.ready()
      })
      // Out of memory ends the thread, and what it was doing with it.
      made.on('error', () => {
        if (thread !== made) return
        void drop()
        listener.failed()
      })
    },
  }
}

export function createRenderSlot(): RenderSlot {
  let running: Running | undefined
  let ids = 0
  const thread = createThread({
    ready: hand,
    answered(answer) {
      if (answer.id !== running?.id) return
      finish('text' in answer ? { text: answer.text } : { error: answer.error })
    },
    failed: () => finish({ error: 'needs too much memory', late: true }),
  })

  function finish(result: Rendered) {
    if (!running) return
    const { timer, done } = running
    clearTimeout(timer)
    running = undefined
    done(result)
  }

  /** An answer that came while the event loop was busy is heard first. */
  function giveUpAfter(id: number, wait_ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      setImmediate(() => {
        if (running?.id !== id) return
        void thread.drop()
        finish({ error: 'takes too long', late: true })
      })
    }, wait_ms)
  }

  /** Gives the template to the thread once that runs; its time runs from here. */
  function hand() {
    if (!running || !thread.isReady()) return
    clearTimeout(running.timer)
    running.timer = giveUpAfter(running.id, running.limit_ms)
    thread.send({ id: running.id, ...running.template })
  }

  return {
    render({ engine, template, body }, limit_ms) {
      return new Promise((done) => {
        thread.start()
        ids += 1
        const timer = giveUpAfter(ids, START_MS)
        running = { id: ids, template: { engine, template, body }, limit_ms, timer, done }
        hand()
      })
    },
    async close() {
      await thread.drop()
    },
  }
}
