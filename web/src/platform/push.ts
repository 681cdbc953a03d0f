/** The service worker and its pushes: one file for what browsers offer, each step apart so that it can be checked. */
import { call } from './api.js'

const WORKER = '/sw.js'

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): string }
}

let registering: Promise<ServiceWorkerRegistration | null> | undefined

/** Where pages demand it, the address of a script has to come from a policy. */
function workerUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  return (
    trustedTypes?.createPolicy('parley-worker', { createScriptURL: () => WORKER }).createScriptURL(WORKER) ??
    WORKER
  )
}

/** Registers the service worker; null where there can be none, such as over plain http. */
export function registerWorker(): Promise<ServiceWorkerRegistration | null> {
  registering ??= (async () => {
    if (!('serviceWorker' in navigator)) return null
    const registration = await navigator.serviceWorker.register(workerUrl()).catch(() => undefined)
    return registration ?? null
  })()
  return registering
}

/** Calls back when a worker of another build has taken over. */
export async function onNewBuild(listener: () => void) {
  const registration = await registerWorker()
  // Without a worker before it, this is the first visit.
  if (!registration || !navigator.serviceWorker.controller) return
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed') listener()
    })
  })
}

/** Asks whether the build on the server is another one. */
export async function lookForNewBuild() {
  const registration = await registerWorker()
  await registration?.update().catch(() => {})
}

export type WorkerMessage = { kind: 'open'; path: string } | { kind: 'test'; nonce: string; shown: boolean }

export function onWorkerMessage(listener: (message: WorkerMessage) => void): () => void {
  if (!('serviceWorker' in navigator)) return () => {}
  const hear = ({ data }: MessageEvent) => listener(data as WorkerMessage)
  navigator.serviceWorker.addEventListener('message', hear)
  return () => navigator.serviceWorker.removeEventListener('message', hear)
}

export const canPush = () => 'PushManager' in globalThis && 'Notification' in globalThis

export const permission = (): NotificationPermission =>
  'Notification' in globalThis ? Notification.permission : 'denied'

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

function isFor(subscription: PushSubscription, key: Uint8Array): boolean {
  const held = subscription.options.applicationServerKey
  return held !== null && new Uint8Array(held).every((byte, index) => byte === key[index])
}

/** The subscription of this browser, made where there is none, for the key of the server as it is now. */
export async function subscribe(
  registration: ServiceWorkerRegistration,
  publicKey: string,
): Promise<PushSubscription> {
  const key = bytesOf(publicKey)
  const known = await registration.pushManager.getSubscription()
  if (known && isFor(known, key)) return known
  await known?.unsubscribe()
  return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

export async function findSubscription(): Promise<PushSubscription | null> {
  if (!canPush()) return null
  const registration = await registerWorker()
  return (await registration?.pushManager.getSubscription().catch(() => null)) ?? null
}

/** Makes this browser known to the server. */
export async function enrol(subscription: PushSubscription): Promise<number> {
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh = '', auth = '' } = keys ?? {}
  const body = { subscription: { endpoint: endpoint ?? '', keys: { p256dh, auth } } }
  return (await call('addPushSubscription', { body })).data.id
}

/** Everything from the permission on; asks the person, so only after a click. */
export async function turnOn(): Promise<boolean> {
  if (!canPush() || (await Notification.requestPermission()) !== 'granted') return false
  const registration = await registerWorker()
  if (!registration) return false
  const { data } = await call('getPushKey')
  await enrol(await subscribe(registration, data.public_key))
  return true
}

/** The browser forgets its subscription, and shows nothing more of this person. */
export async function forgetPush() {
  const registration = await registering
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close()
  await (await findSubscription())?.unsubscribe()
}

export async function turnOff() {
  const { data } = await call('listPushSubscriptions')
  const mine = data.find(({ current }) => current)
  if (mine) await call('removePushSubscription', { params: { id: mine.id } })
  await forgetPush()
}

/** A browser that was enrolled under an earlier session or key is enrolled again. */
export async function renew() {
  const known = await findSubscription()
  const registration = await registerWorker()
  if (!known || !registration || permission() !== 'granted') return
  const [{ data: list }, { data: key }] = await Promise.all([
    call('listPushSubscriptions'),
    call('getPushKey'),
  ])
  const current = await subscribe(registration, key.public_key)
  if (current !== known || !list.some((one) => one.current)) await enrol(current)
}

/** Takes away what is shown of a chat up to a message. */
export async function closeShown(chatId: number, messageId: number) {
  const registration = await registering
  for (const shown of (await registration?.getNotifications({ tag: `chat-${chatId}` })) ?? [])
    if (((shown.data as { message_id?: number } | null)?.message_id ?? 0) <= messageId) shown.close()
}

/** Takes away notices that were read; those that a page has shown by itself have no id and go once all are read. */
export async function closeShownNotices(noticeIds: readonly number[], unread: number) {
  const registration = await registering
  for (const shown of (await registration?.getNotifications()) ?? []) {
    const { notice_id } = (shown.data ?? {}) as { notice_id?: number | null }
    if (notice_id === undefined) continue
    if (notice_id === null ? unread === 0 : noticeIds.includes(notice_id)) shown.close()
  }
}
