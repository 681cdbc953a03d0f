import { call } from '../platform/api.js'
import {
  canPush,
  enrol,
  onWorkerMessage,
  permission,
  registerWorker,
  subscribe,
  type WorkerMessage,
} from '../platform/push.js'
import { type Progress, runSteps, type Step } from './check-steps.js'

const ARRIVES_WITHIN_MS = 15_000

interface Found {
  registration?: ServiceWorkerRegistration
  key?: string
  subscription?: PushSubscription
  id?: number
  arrival?: Promise<WorkerMessage & { kind: 'test' }>
}

function need<T>(value: T | null | undefined | false, reason: string): T {
  if (!value) throw new Error(reason)
  return value
}

/** Hears what arrives from before it is sent: a push may be faster than the answer about it. */
function listen() {
  const heard: (WorkerMessage & { kind: 'test' })[] = []
  const stop = onWorkerMessage((message) => {
    if (message.kind === 'test') heard.push(message)
  })
  return {
    stop,
    async arrival(nonce: string) {
      const late = Date.now() + ARRIVES_WITHIN_MS
      for (;;) {
        const message = heard.find((one) => one.nonce === nonce)
        if (message) return message
        if (Date.now() > late) throw new Error(`${ARRIVES_WITHIN_MS / 1000} s`)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    },
  }
}

/** Sends a notification to this browser and looks at every step on its way; the first that is broken, or null. */
export async function checkDelivery(tell: (progress: Progress) => void): Promise<Step | null> {
  const ear = listen()
  const steps: Record<Step, (found: Found) => Promise<unknown>> = {
    browser: async () => need(canPush() && isSecureContext, 'PushManager'),
    permission: async () => need(permission() === 'granted', permission()),
    async worker(found) {
      const registration = need(await registerWorker(), 'register')
      found.registration = registration
      need(registration.active ?? registration.installing ?? registration.waiting, 'activate')
    },
    async key(found) {
      found.key = (await call('getPushKey')).data.public_key
    },
    async subscription(found) {
      found.subscription = await subscribe(
        found.registration as ServiceWorkerRegistration,
        found.key as string,
      )
    },
    async enrolled(found) {
      found.id = await enrol(found.subscription as PushSubscription)
    },
    async accepted(found) {
      const { data } = await call('sendTestPush', { params: { id: found.id as number } })
      need(data.accepted, data.error ?? `HTTP ${data.status}`)
      found.arrival = ear.arrival(data.nonce)
    },
    received: ({ arrival }) => arrival as Promise<unknown>,
    async shown({ arrival }) {
      need((await arrival)?.shown, 'showNotification')
    },
  }
  try {
    return await runSteps(steps, {}, tell)
  } finally {
    ear.stop()
  }
}
