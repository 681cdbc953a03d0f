import type { Clock, Owner } from './clock.js'

interface Request {
  page: Owner
  name: string
  run(): Promise<unknown>
  resolve(value: unknown): void
  reject(error: Error): void
}

export interface Locks {
  locksFor(page: Owner): unknown
  /** The page is gone, and what it held or waited for with it. */
  release(page: Owner): void
  holder(name: string): Owner | undefined
}

const aborted = () => new DOMException('the lock was taken or the request given up', 'AbortError')

/** Web Locks of one browser. */
export function createLocks(clock: Clock): Locks {
  const held = new Map<string, Request>()
  let queue: Request[] = []

  function grant(name: string) {
    if (held.has(name)) return
    const next = queue.find((request) => request.name === name)
    if (!next) return
    queue = queue.filter((request) => request !== next)
    hold(next)
  }

  function hold(request: Request) {
    held.set(request.name, request)
    const end = (settle: () => void) => {
      if (held.get(request.name) === request) held.delete(request.name)
      settle()
      clock.after(1, null, () => grant(request.name))
    }
    clock.after(0, request.page, () => {
      request.run().then(
        (value) => end(() => request.resolve(value)),
        (error) => end(() => request.reject(error)),
      )
    })
  }

  function take(request: Request) {
    const before = held.get(request.name)
    if (before) clock.after(0, before.page, () => before.reject(aborted()))
    held.delete(request.name)
    hold(request)
  }

  return {
    locksFor: (page) => ({
      request(
        name: string,
        { steal, signal }: { steal?: boolean; signal?: AbortSignal },
        run: () => Promise<unknown>,
      ) {
        return new Promise((resolve, reject) => {
          const request = { page, name, run, resolve, reject }
          signal?.addEventListener('abort', () => {
            if (!queue.includes(request)) return
            queue = queue.filter((one) => one !== request)
            reject(aborted())
          })
          clock.after(1, null, () => {
            if (page.life === 'gone') return
            if (signal?.aborted) return reject(aborted())
            if (steal) return take(request)
            queue.push(request)
            grant(name)
          })
        })
      },
      query: () =>
        new Promise((resolve) => {
          clock.after(1, page, () => resolve({ pending: queue.map(({ name }) => ({ name })) }))
        }),
    }),
    release(page) {
      queue = queue.filter((request) => request.page !== page)
      for (const [name, request] of held)
        if (request.page === page) {
          held.delete(name)
          clock.after(1, null, () => grant(name))
        }
    },
    holder: (name) => held.get(name)?.page,
  }
}
