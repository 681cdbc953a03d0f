/** What of a service worker's world is used here; the types of the whole clash with those of pages. */

interface ExtendableEvent extends Event {
  waitUntil(promise: Promise<unknown>): void
}

interface WindowClient {
  readonly focused: boolean
  focus(): Promise<WindowClient>
  postMessage(message: unknown): void
}

/** Not in every browser. */
interface StaticRoute {
  condition: { urlPattern?: string; requestMode?: 'navigate' }
  source: 'network' | 'race-network-and-fetch-handler'
}

interface WorkerEvents {
  install: ExtendableEvent & { addRoutes?(routes: readonly StaticRoute[]): Promise<void> }
  activate: ExtendableEvent
  push: ExtendableEvent & { readonly data: { json(): unknown } | null }
  notificationclick: ExtendableEvent & { readonly notification: Notification }
  notificationclose: ExtendableEvent & { readonly notification: Notification }
  pushsubscriptionchange: ExtendableEvent & { readonly newSubscription?: PushSubscription | null }
  fetch: ExtendableEvent & {
    readonly request: Request
    readonly preloadResponse: Promise<Response | undefined>
    respondWith(response: Promise<Response>): void
  }
}

export interface WorkerScope {
  readonly registration: ServiceWorkerRegistration
  readonly navigator: Navigator
  readonly clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<WindowClient[]>
    openWindow(url: string): Promise<WindowClient | null>
    claim(): Promise<void>
  }
  skipWaiting(): Promise<void>
  addEventListener<K extends keyof WorkerEvents>(type: K, listener: (event: WorkerEvents[K]) => void): void
}

export type WorkerEvent<K extends keyof WorkerEvents> = WorkerEvents[K]
