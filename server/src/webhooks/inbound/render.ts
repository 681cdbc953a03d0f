import { TooMany } from '../../platform/problem.js'
import { createRenderSlot, type Rendered, type RenderSlot, type Template } from './render-slot.js'

const THREADS = 2
/** From being handed to the thread, once that runs, to the text. */
const TIME_MS = 1_000
/** Of a bot whose last template took too long; one that ends in time gets the whole time again. */
const TIME_AFTER_LATE_MS = 200
/** Of one bot, and of all bots of one creator. */
const WAITING_AT_MOST = 10
const WAITING_OF_CREATOR = 40

export interface RenderOwner {
  bot_id: number
  creator_id: number
}

type Job = { owner: RenderOwner; template: Template; done: (result: Rendered) => void }

export interface Renderer {
  render(owner: RenderOwner, template: Template): Promise<Rendered>
  /** Gives every bot its whole time again. */
  forget(): void
  close(): Promise<void>
}

/**
 * Renders templates of strangers in two threads; the event loop never waits for one. Creators take turns, and a creator
 * has one thread at most, so that a creator with many slow templates delays only their own bots.
 */
export function createRenderer(): Renderer {
  const slots = Array.from({ length: THREADS }, createRenderSlot)
  const idle = [...slots]
  const waiting = new Map<number, Job[]>()
  const busy = new Set<number>()
  const late = new Set<number>()

  /** Next is the creator who has waited longest since their last turn, with the bot that has waited longest. */
  function takeNext(): Job | undefined {
    for (const [creator, jobs] of waiting) {
      if (busy.has(creator)) continue
      waiting.delete(creator)
      const job = jobs.shift()
      if (jobs.length > 0) waiting.set(creator, jobs)
      if (job) return job
    }
    return undefined
  }

  async function run(slot: RenderSlot, { owner, template, done }: Job) {
    const { bot_id, creator_id } = owner
    busy.add(creator_id)
    const result = await slot.render(template, late.has(bot_id) ? TIME_AFTER_LATE_MS : TIME_MS)
    if ('late' in result) late.add(bot_id)
    else late.delete(bot_id)
    busy.delete(creator_id)
    idle.push(slot)
    done(result)
    next()
  }

  function next() {
    for (const slot of [...idle]) {
      const job = takeNext()
      if (!job) return
      idle.splice(idle.indexOf(slot), 1)
      void run(slot, job)
    }
  }

  return {
    render(owner, template) {
      const jobs = waiting.get(owner.creator_id) ?? []
      const own = jobs.filter((job) => job.owner.bot_id === owner.bot_id)
      if (own.length >= WAITING_AT_MOST || jobs.length >= WAITING_OF_CREATOR)
        throw new TooMany(1, 'inbound-rendering')
      return new Promise((done) => {
        jobs.push({ owner, template, done })
        waiting.set(owner.creator_id, jobs)
        next()
      })
    },
    forget: () => late.clear(),
    async close() {
      await Promise.all(slots.map((slot) => slot.close()))
    },
  }
}
