import type { WorkerEvent, WorkerScope } from './scope.js'

const PUSH = '/v1/profile/push'
/** The cookie of the session comes along; the header shows that a page of ours, or its worker, asks. */
const HEADERS = { 'Content-Type': 'application/json', 'Parley-Client': 'web' }

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

async function keyOfServer(): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(`${PUSH}/key`, { headers: HEADERS })
  if (!answer.ok) throw new Error(`push key failed: status ${answer.status}`)
  const { data } = (await answer.json()) as { data: { public_key: string } }
  return bytesOf(data.public_key)
}

/** A push service may end a subscription by itself: the worker makes a new one and tells the server, without a page. */
export function keepSubscription(scope: WorkerScope) {
  async function renew({ newSubscription }: WorkerEvent<'pushsubscriptionchange'>) {
    const { pushManager } = scope.registration
    const subscription =
      newSubscription ??
      (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: await keyOfServer() }))
    const { endpoint, keys } = subscription.toJSON()
    const body = JSON.stringify({ subscription: { endpoint, keys } })
    const { ok, status } = await fetch(PUSH, { method: 'POST', headers: HEADERS, body })
    if (!ok) throw new Error(`push subscription failed: status ${status}`)
  }
  scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))
}
