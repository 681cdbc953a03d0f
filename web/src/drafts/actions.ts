import { pauseAfter } from '../platform/again.js'
import { ApiFailure, call, mayPass } from '../platform/api.js'
import { apply, state } from '../store.js'
import {
  deviceDraft,
  dropDeviceDraft,
  forgetDeviceDrafts,
  isEmpty,
  isSame,
  listUnsavedDrafts,
  loadDeviceDrafts,
  NOTHING,
  setDeviceDraft,
  type Written,
  writeDeviceDraft,
} from './device.js'
import { type Place, placeKey, placeOf, writtenIn } from './state.js'

const DEVICE_AFTER_MS = 300
const SERVER_AFTER_MS = 2000

type Timer = ReturnType<typeof setTimeout>
const toDevice = new Map<string, Timer>()
const toServer = new Map<string, Timer>()
/** By place, what is being saved on the server right now. */
const saving = new Map<string, Promise<void>>()
/** By place, how often saving has failed since it was last done. */
const failures = new Map<string, number>()

/** What to begin with: what was written here and the server does not have yet, else the server's. */
export function draftAt(place: Place): Written {
  const here = deviceDraft(place)
  if (here && !here.saved) return here
  const draft = state.drafts.value.get(placeKey(place))
  return draft ? writtenIn(draft) : NOTHING
}

export function hasUnsaved(place: Place): boolean {
  return deviceDraft(place)?.saved === false
}

/** Reads the drafts kept on this device, and sends the server those it does not have. */
export async function openDrafts(userId: number) {
  // Of whoever was signed in before: saved now, they would take the place of this person's drafts.
  stopSaving()
  for (const draft of await loadDeviceDrafts(userId))
    if (!draft.saved) saveLater(placeOf(draft.place), SERVER_AFTER_MS)
}

function clearTimer(timers: Map<string, Timer>, key: string) {
  clearTimeout(timers.get(key))
  timers.delete(key)
}

function stopSaving() {
  for (const key of [...toServer.keys()]) clearTimer(toServer, key)
  failures.clear()
}

async function putDraft(place: Place, written: Written): Promise<void> {
  const { content, files, parent_message_id } = written
  const draft = { ...place, content, files: [...files], parent_message_id }
  try {
    const { data } = await call('putDraftAt', { body: { draft } })
    apply({ type: 'draft', place: placeKey(place), draft: data })
  } catch (error) {
    // The message that it answers is gone; the text is not.
    const refused = error instanceof ApiFailure && error.status === 422 && parent_message_id !== null
    if (!refused) throw error
    await putDraft(place, { ...written, parent_message_id: null })
  }
}

/** One call at a time for a place, so that an older text never comes after a younger one. */
async function saveToServer(place: Place) {
  const key = placeKey(place)
  if (saving.has(key)) return saveLater(place, SERVER_AFTER_MS)
  const saved = saveNow(place)
  saving.set(key, saved)
  await saved
}

async function saveNow(place: Place) {
  const key = placeKey(place)
  const written = deviceDraft(place) ?? NOTHING
  try {
    await putDraft(place, written)
    failures.delete(key)
    const now = deviceDraft(place) ?? NOTHING
    // Sent meanwhile: the message has taken its place.
    if (isEmpty(now) && !isEmpty(written)) await putDraft(place, NOTHING)
    else if (isSame(now, written)) {
      if (isEmpty(written)) dropDeviceDraft(place)
      else setDeviceDraft(place, written, true)
      void writeDeviceDraft(key)
    }
  } catch (error) {
    // The device's copy stays unsaved. What the server refuses goes along with the next change or start.
    const before = failures.get(key) ?? 0
    failures.set(key, before + 1)
    if (mayPass(error)) saveLater(place, Math.max(SERVER_AFTER_MS, pauseAfter(error, before)))
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
export function saveDraft(place: Place, written: Written) {
  const key = placeKey(place)
  setDeviceDraft(place, written)
  writeLater(key)
  saveLater(place, SERVER_AFTER_MS)
}

function writeLater(key: string) {
  toDevice.set(key, toDevice.get(key) ?? setTimeout(() => writeSoon(key), DEVICE_AFTER_MS))
}

function writeSoon(key: string) {
  clearTimer(toDevice, key)
  void writeDeviceDraft(key)
}

/** What the server does not have yet of what was written to a person goes into their chat. */
export function moveToChat(userId: number, chatId: number) {
  const from = { entity_type: 'user', entity_id: userId } as const
  const place = { entity_type: 'discussion', entity_id: chatId } as const
  const written = deviceDraft(from)
  dropDraft(from)
  if (written && !written.saved && !hasUnsaved(place)) saveDraft(place, written)
}

/** The text was sent; gives the draft that the message replaces. */
export function dropDraft(place: Place): number | undefined {
  const key = placeKey(place)
  clearTimer(toServer, key)
  dropDeviceDraft(place)
  // After the message is on the device: a page whose process ends between the two would have neither.
  clearTimer(toDevice, key)
  writeLater(key)
  const draft = state.drafts.value.get(key)
  if (draft) apply({ type: 'draft', place: key, draft: null })
  return draft?.id
}

/** Text has gone another way, and this is left: the server is told before this ends, or else as soon as it can be. */
export async function replaceDraft(place: Place, written: Written) {
  const key = placeKey(place)
  setDeviceDraft(place, written)
  writeSoon(key)
  await saving.get(key)
  clearTimer(toServer, key)
  await saveToServer(place)
}

export async function deleteDraft(id: number) {
  try {
    await call('deleteDraft', { params: { id } })
  } catch (error) {
    // It was sent or deleted on another device.
    if (!(error instanceof ApiFailure && error.status === 404)) throw error
  }
}

/** The text is not wanted any more, neither here nor on the server. */
export async function discardDraft(place: Place) {
  const id = state.drafts.peek().get(placeKey(place))?.id
  if (id !== undefined) await deleteDraft(id)
  dropDraft(place)
}

/** Tells the server at once what it does not have yet; gives how many drafts it still lacks after that. */
export async function flushDrafts(): Promise<number> {
  const places = listUnsavedDrafts().map(({ place }) => placeOf(place))
  for (const place of places) clearTimer(toServer, placeKey(place))
  await Promise.all(places.map(saveToServer))
  return listUnsavedDrafts().length
}

/** Nothing of them is written down any more. */
export function forgetDrafts() {
  stopSaving()
  for (const key of [...toDevice.keys()]) clearTimer(toDevice, key)
  forgetDeviceDrafts()
}

// The page may be gone before the pause is over.
if (typeof addEventListener === 'function')
  addEventListener('pagehide', () => {
    for (const key of [...toDevice.keys()]) writeSoon(key)
  })
