import { call } from '../platform/api.js'
import { apply, state } from '../store.js'
import { deviceDraft, keepDeviceDraft } from './device.js'
import { type Place, placeKey } from './state.js'

const DEVICE_AFTER_MS = 300
const SERVER_AFTER_MS = 2000

type Timers = { device?: ReturnType<typeof setTimeout>; server?: ReturnType<typeof setTimeout> }
const waiting = new Map<string, Timers>()

/** The text to begin with: this device's, unless another one wrote later. */
export function draftAt(place: Place): string {
  const here = deviceDraft(place)
  const there = state.drafts.value.get(placeKey(place))
  if (!here) return there?.content ?? ''
  return there && there.updated_at > here.written_at ? there.content : here.content
}

async function saveToServer(place: Place, content: string) {
  const { data } = await call('putDraftAt', { body: { draft: { ...place, content } } })
  apply({ type: 'draft', place: placeKey(place), draft: data })
}

/** Keeps what is being written: on the device after a short pause, on the server after a longer one. */
export function saveDraft(place: Place, content: string) {
  const key = placeKey(place)
  const timers = waiting.get(key) ?? {}
  clearTimeout(timers.device)
  clearTimeout(timers.server)
  waiting.set(key, {
    device: setTimeout(() => void keepDeviceDraft(place, content), DEVICE_AFTER_MS),
    // A failure leaves the device's copy, which the next change sends along.
    server: setTimeout(() => void saveToServer(place, content).catch(() => {}), SERVER_AFTER_MS),
  })
}

/** The text was sent; gives the draft that the message replaces. */
export function dropDraft(place: Place): number | undefined {
  const key = placeKey(place)
  const timers = waiting.get(key)
  clearTimeout(timers?.device)
  clearTimeout(timers?.server)
  waiting.delete(key)
  void keepDeviceDraft(place, '')
  const draft = state.drafts.value.get(key)
  if (draft) apply({ type: 'draft', place: key, draft: null })
  return draft?.id
}
