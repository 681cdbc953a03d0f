import type { Page, Worker } from 'playwright-core'
import { untilEquals } from './browser.js'

/**
 * Keeps what the worker shows. A browser without a display refuses every notification, whatever it is granted, and crashes
 * when a worker sets a badge, so those functions of it are replaced; everything that calls them is ours.
 */
const KEEP_SHOWN = `(() => {
  navigator.setAppBadge = navigator.clearAppBadge = async () => {}
  const shown = new Map()
  registration.showNotification = async (title, options) =>
    void shown.set(options.tag, { title, ...options, close: () => shown.delete(options.tag) })
  registration.getNotifications = async ({ tag } = {}) =>
    [...shown.values()].filter((one) => tag === undefined || one.tag === tag)
})()`

/** The service worker of a page, once it is in charge. */
export async function workerOf(page: Page): Promise<Worker> {
  await page.evaluate(`navigator.serviceWorker.controller ? null : new Promise((resolve) =>
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(null), { once: true }))`)
  const context = page.context()
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate(KEEP_SHOWN)
  return worker
}

/** Hands pushes to the service worker of a page, as the browser does when its push service has one. */
export async function pusher(page: Page): Promise<(push: object) => Promise<unknown>> {
  const devtools = await page.context().newCDPSession(page)
  const known = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations
      if (first) resolve(first.registrationId)
    }),
  )
  await devtools.send('ServiceWorker.enable')
  const registrationId = await known
  const { origin } = new URL(page.url())
  return (push) =>
    devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(push) })
}

/** As if the window of the page had lost the focus: a browser without a display never takes it away. */
export function lookAway(worker: Worker): Promise<unknown> {
  return worker.evaluate('clients.matchAll = async () => []')
}

export function lookBack(worker: Worker): Promise<unknown> {
  return worker.evaluate('delete clients.matchAll')
}

/** Waits until these notifications are shown, by their titles and texts. */
export async function untilShown(worker: Worker, expected: readonly string[]) {
  const read = () =>
    worker.evaluate<string[]>(
      'registration.getNotifications().then((all) => all.map(({ title, body }) => title + ": " + body))',
    )
  await untilEquals(read, [...expected])
}

/** Clicks a notification; the browser would let the worker bring its page to the front. */
export function clickNotification(worker: Worker, path: string): Promise<unknown> {
  return worker.evaluate(`(() => {
    const event = new ExtendableEvent('notificationclick')
    const notification = { close() {}, data: { path: ${JSON.stringify(path)} } }
    Object.assign(event, { notification, waitUntil: (work) => work.catch(() => {}) })
    dispatchEvent(event)
  })()`)
}

/** As if the push service had ended the subscription; the browser gives the new one, which it cannot get without a service. */
export function changeSubscription(worker: Worker, subscription: object): Promise<unknown> {
  return worker.evaluate(`new Promise((resolve, reject) => {
    const event = new ExtendableEvent('pushsubscriptionchange')
    const subscribe = async ({ applicationServerKey }) => {
      if (applicationServerKey.length !== 65) throw new Error('not a key of the server')
      return { toJSON: () => (${JSON.stringify(subscription)}) }
    }
    PushManager.prototype.subscribe = subscribe
    Object.assign(event, { waitUntil: (work) => work.then(resolve, reject) })
    dispatchEvent(event)
  })`)
}
