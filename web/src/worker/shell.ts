import type { WorkerEvent, WorkerScope } from './scope.js'

/** The pages of the client, and the scripts and styles of this build, for when there is no connection. */

const PREFIX = 'shell-'
const INDEX = '/index.html'
const ASSETS = '/assets/'
/** Pages that are not the client's. */
const OTHER_PAGES = /^\/(v1|apps|docs|oauth|storage|sandbox|webhooks|metrics|avatars|\.well-known)(\/|$)/
/** A tab of the build before still loads its screens. */
const KEPT_BUILDS = 2

export interface Build {
  name: string
  /** What the first screen needs. */
  files: readonly string[]
}

export function serveShell(scope: WorkerScope, build: Build) {
  const name = PREFIX + build.name

  async function keep() {
    const cache = await caches.open(name)
    await cache.addAll([new Request(INDEX, { cache: 'reload' }), ...build.files])
    await scope.skipWaiting()
  }

  async function takeOver() {
    const others = (await caches.keys()).filter((key) => key.startsWith(PREFIX) && key !== name)
    for (const old of others.slice(0, -(KEPT_BUILDS - 1))) await caches.delete(old)
    await scope.registration.navigationPreload?.enable()
    await scope.clients.claim()
  }

  /** What the browser fetches by itself: a worker that sleeps takes longer to wake up than most answers of the server. */
  async function leaveAlone(event: WorkerEvent<'install'>) {
    await event.addRoutes?.([
      { condition: { urlPattern: '/v1/*' }, source: 'network' },
      { condition: { requestMode: 'navigate' }, source: 'race-network-and-fetch-handler' },
    ])
  }

  /** From the server as long as it answers, so that a page is never older than its server. */
  async function page({ request, preloadResponse }: WorkerEvent<'fetch'>): Promise<Response> {
    try {
      return (await preloadResponse) ?? (await fetch(request))
    } catch (error) {
      const kept = await caches.match(INDEX, { cacheName: name })
      if (!kept) throw error
      return kept
    }
  }

  /** The name of an asset changes with its content: one that is kept is right. */
  async function asset(request: Request): Promise<Response> {
    const kept = await caches.match(request)
    if (kept) return kept
    const answer = await fetch(request)
    if (answer.ok) await (await caches.open(name)).put(request, answer.clone())
    return answer
  }

  scope.addEventListener('install', (event) => event.waitUntil(Promise.all([leaveAlone(event), keep()])))
  scope.addEventListener('activate', (event) => event.waitUntil(takeOver()))
  scope.addEventListener('fetch', (event) => {
    const { method, mode, url } = event.request
    const { origin, pathname } = new URL(url)
    if (method !== 'GET' || origin !== location.origin) return
    if (mode === 'navigate' && !OTHER_PAGES.test(pathname)) event.respondWith(page(event))
    else if (pathname.startsWith(ASSETS)) event.respondWith(asset(event.request))
  })
}
