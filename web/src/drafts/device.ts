import { readAll, remove, write } from '../platform/database.js'
import { type Place, placeKey } from './state.js'

/** What stands in an input field, as this device keeps it. */
export interface DeviceDraft {
  place: string
  content: string
  /** When it was typed; the server's copy wins when it is younger. */
  written_at: string
}

const kept = new Map<string, DeviceDraft>()

/** Read once at the start, so that a chat opens with its text in place. */
export async function loadDeviceDrafts() {
  for (const draft of await readAll<DeviceDraft>('drafts')) kept.set(draft.place, draft)
}

export function deviceDraft(place: Place): DeviceDraft | undefined {
  return kept.get(placeKey(place))
}

export async function keepDeviceDraft(place: Place, content: string) {
  const key = placeKey(place)
  if (content === '') {
    kept.delete(key)
    return remove('drafts', key)
  }
  const draft = { place: key, content, written_at: new Date().toISOString() }
  kept.set(key, draft)
  await write('drafts', key, draft)
}
