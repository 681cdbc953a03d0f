import { call } from '../platform/api.js'
import { apply, state } from '../store.js'
import {
  deviceDraft,
  dropDeviceDraft,
  forgetDeviceDrafts,
  loadDeviceDrafts,
  setDeviceDraft,
  writeDeviceDraft,
} from './device.js'
import { type Place, placeKey, placeOf } from './state.js'

const DEVICE_AFTER_MS = 300
const SERVER_AFTER_MS = 2000

type Timer = ReturnType<typeof setTimeout>
const toDevice = new Map<string, Timer>()
const toServer = new Map<string, Timer>()
/** Places that are being saved on the server right now. */
const saving = new Set<string>()

/** The text to begin with: what was typed here and the server does not have yet, else the server's. */
export function draftAt(place: Place): string {
  const here = deviceDraft(place)
  if (here && !here.saved) return here.content
  return state.drafts.value.get(placeKey(place))?.content ?? ''
}

export function hasUnsaved(place: Place): boolean {
  return deviceDraft(place)?.saved === false
}

/** Reads what this device kept of a person's texts, and tells the server what it does not have. */
export async function openDrafts(userId: number) {
  for (const draft of await loadDeviceDrafts(userId))
    if (!draft.saved) saveLater(placeOf(draft.place), SERVER_AFTER_MS)
}

function clearTimer(timers: Map<string, Timer>, key: string) {
  clearTimeout(timers.get(key))
  timers.delete(key)
}

async function putDraft(place: Place, content: string) {
  const { data } = await call('putDraftAt', { body: { draft: { ...place, content } } })
  apply({ type: 'draft', place: placeKey(place), draft: data })
}

/** One call at a time for a place, so that an older text never comes after a younger one. */
async function saveToServer(place: Place) {
  const key = placeKey(place)
  if (saving.has(key)) return saveLater(place, SERVER_AFTER_MS)
  const content = deviceDraft(place)?.content ?? ''
  saving.add(key)
  try {
    await putDraft(place, content)
    const now = deviceDraft(place)?.content ?? ''
    // Sent meanwhile: the message has taken its place.
    if (now === '' && content !== '') await putDraft(place, '')
    else if (now === content) {
      if (content === '') dropDeviceDraft(place)
      else setDeviceDraft(place, content, true)
      void writeDeviceDraft(key)
    }
  } catch {
    // The device's copy stays unsaved, and the next change or start sends it along.
  } finally {
    saving.delete(key)
  }
}

function saveLater(place: Place, after_ms: number) {
  const key = placeKey(place)
  clearTimer(toServer, key)
  const save = () => {
    toServer.delete(key)
    void saveToServer(place)
  }
  toServer.set(key, setTimeout(save, after_ms))
}

/** Keeps what is being written: on the device after a short pause, on the server after a longer one. */
export function saveDraft(place: Place, content: string) {
  const key = placeKey(place)
  setDeviceDraft(place, content)
  toDevice.set(key, toDevice.get(key) ?? setTimeout(() => writeSoon(key), DEVICE_AFTER_MS))
  saveLater(place, SERVER_AFTER_MS)
}

function writeSoon(key: string) {
  clearTimer(toDevice, key)
  void writeDeviceDraft(key)
}

/** The text was sent; gives the draft that the message replaces. */
export function dropDraft(place: Place): number | undefined {
  const key = placeKey(place)
  clearTimer(toServer, key)
  dropDeviceDraft(place)
  writeSoon(key)
  const draft = state.drafts.value.get(key)
  if (draft) apply({ type: 'draft', place: key, draft: null })
  return draft?.id
}

/** Nothing of them is written down any more. */
export function forgetDrafts() {
  for (const timers of [toDevice, toServer]) for (const key of [...timers.keys()]) clearTimer(timers, key)
  forgetDeviceDrafts()
}

// The page may be gone before the pause is over.
if (typeof addEventListener === 'function')
  addEventListener('pagehide', () => {
    for (const key of [...toDevice.keys()]) writeSoon(key)
  })
