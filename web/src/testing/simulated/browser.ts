import type * as drafts from '../../drafts/actions.js'
import type * as actions from '../../messages/actions.js'
import type * as names from '../../people/names.js'
import type * as api from '../../platform/api.js'
import type * as i18n from '../../platform/i18n.js'
import type * as live from '../../platform/live.js'
import type * as outbox from '../../platform/outbox.js'
import type * as refusal from '../../platform/refusal.js'
import type * as store from '../../store.js'
import type * as sync from '../../sync.js'
import type * as threads from '../../threads/actions.js'
import type { Clock, Owner } from './clock.js'
import { createLocks } from './locks.js'
import type { Server } from './server.js'
import { createStorage } from './storage.js'

/** The modules that a page runs, and what they find in a browser. */
const MODULES = [
  'sync.js',
  'store.js',
  'drafts/actions.js',
  'messages/actions.js',
  'people/names.js',
  'platform/api.js',
  'platform/i18n.js',
  'platform/live.js',
  'platform/outbox.js',
  'platform/refusal.js',
  'threads/actions.js',
]
const GLOBALS = [
  'AbortSignal',
  'BroadcastChannel',
  'Date',
  'Math',
  'XMLHttpRequest',
  'addEventListener',
  'clearTimeout',
  'crypto',
  'document',
  'fetch',
  'globalThis',
  'indexedDB',
  'localStorage',
  'location',
  'navigator',
  'performance',
  'removeEventListener',
  'requestAnimationFrame',
  'setTimeout',
  'window',
]

export type Client = typeof sync &
  typeof store &
  Pick<typeof api, 'call' | 'ApiFailure' | 'ConnectionFailure'> &
  Pick<typeof drafts, 'saveDraft'> &
  typeof actions &
  typeof live &
  typeof outbox &
  typeof refusal &
  Pick<typeof i18n, 'setLocale' | 'words'> &
  Pick<typeof names, 'personAt'> &
  Pick<typeof threads, 'readThreadInbox' | 'followThread'>

interface Bundler {
  bundlePage(modules: string[], globals: string[]): Promise<(offered: Record<string, unknown>) => Client>
}

const bundler = new URL('../../../testing/bundle-page.mjs', import.meta.url).href
const { bundlePage } = (await import(bundler)) as Bundler
const run = await bundlePage(MODULES, GLOBALS)

/** A tab. */
export interface Page extends Owner {
  id: number
  client: Client
  events: EventTarget
}

/** One browser with one cookie: its tabs, and what they share. */
export interface Browser {
  storage: ReturnType<typeof createStorage>
  locks: ReturnType<typeof createLocks>
  /** The session that the cookie names. */
  session: number
  pages(): Page[]
  /** Loads the client, which begins as in the browser unless another way is given. */
  open(begin?: (page: Page) => void): Page
  /** As when the person closes the tab. */
  close(page: Page): void
  /** As when its process ends: the page is told nothing. */
  kill(page: Page): void
  freeze(page: Page): void
  thaw(page: Page): void
}

const CHANNEL_MS = 5

export function createBrowser(clock: Clock, random: () => number, server: Server): Browser {
  let pages: Page[] = []
  let last = 0
  const locks = createLocks(clock)
  const storage = createStorage({
    clock,
    random,
    onItem(from, key, newValue) {
      for (const page of pages)
        if (page !== from)
          clock.after(random() * CHANNEL_MS, page, () => emit(page, 'storage', { key, newValue }))
    },
  })

  const emit = (page: Page, type: string, more = {}) =>
    page.events.dispatchEvent(Object.assign(new Event(type), more))

  function end(page: Page) {
    page.life = 'gone'
    pages = pages.filter((one) => one !== page)
    locks.release(page)
    server.onPageGone(page)
  }

  /** What one tab says arrives in each of the others in its order. */
  class Channel {
    static all = new Set<Channel>()
    onmessage: (event: { data: unknown }) => void = () => {}
    readonly #arrived = new Map<Channel, number>()
    constructor(
      readonly page: Page,
      readonly name: string,
    ) {
      channels.add(this)
    }
    postMessage(data: unknown) {
      for (const other of channels) {
        if (other === this || other.name !== this.name || other.page.life === 'gone') continue
        const at = Math.max(clock.now() + random() * CHANNEL_MS, this.#arrived.get(other) ?? 0)
        this.#arrived.set(other, at)
        clock.after(at - clock.now(), other.page, () => channels.has(other) && other.onmessage({ data }))
      }
    }
    close() {
      channels.delete(this)
    }
  }
  const channels = new Set<Channel>()

  function offer(page: Page): Record<string, unknown> {
    class PageDate extends Date {
      constructor(...args: [] | [string | number | Date]) {
        super(...((args.length === 0 ? [clock.now()] : args) as [number]))
      }
      static override now = () => clock.now()
    }
    const signalAfter = (ms: number) => {
      const ending = new AbortController()
      clock.after(ms, page, () => ending.abort(new DOMException('too late', 'TimeoutError')))
      return ending.signal
    }
    const events = {
      addEventListener: page.events.addEventListener.bind(page.events),
      removeEventListener: page.events.removeEventListener.bind(page.events),
    }
    return {
      ...events,
      AbortSignal: { any: AbortSignal.any, timeout: signalAfter },
      BroadcastChannel: class extends Channel {
        constructor(name: string) {
          super(page, name)
        }
      },
      Date: PageDate,
      Math: Object.assign(Object.create(Math), { random }),
      XMLHttpRequest: server.uploaderFor(page, browser),
      clearTimeout: (timer: number) => clock.cancel(timer),
      crypto: {
        getRandomValues: (bytes: Uint8Array) => bytes.map(() => Math.floor(random() * 256)),
      },
      document: {
        ...events,
        hidden: false,
        hasFocus: () => true,
        querySelector: () => null,
        documentElement: {},
      },
      fetch: server.fetchFor(page, browser),
      globalThis: {},
      indexedDB: storage.databaseFor(page),
      localStorage: storage.localStorageFor(page),
      location: {
        pathname: '/chats/1',
        search: '',
        assign() {},
        reload() {
          if (page.life === 'gone') return
          browser.close(page)
          browser.open()
        },
      },
      navigator: { locks: locks.locksFor(page), language: 'en' },
      performance: { now: () => clock.now() },
      requestAnimationFrame: (draw: () => void) => clock.after(16, page, draw),
      setTimeout: (task: () => void, ms = 0) => clock.after(ms, page, task),
      window: {},
    }
  }

  const browser: Browser = {
    storage,
    locks,
    session: 0,
    pages: () => pages,
    open(begin = ({ client }) => void client.start()) {
      last += 1
      const page = { id: last, life: 'alive', events: new EventTarget() } as Page
      page.client = run(offer(page))
      pages.push(page)
      begin(page)
      return page
    },
    close(page) {
      if (page.life === 'alive') emit(page, 'pagehide')
      end(page)
    },
    kill: end,
    freeze(page) {
      page.life = 'frozen'
    },
    thaw: (page) => clock.thaw(page),
  }
  return browser
}
