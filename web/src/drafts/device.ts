import type { MessageFileInput } from '@parley/contract'
import { readAll, remove, write } from '../platform/database.js'
import { type Place, placeKey } from './state.js'

/** The content of an input field: a text, files that were uploaded for it, and the message that it answers. */
export interface Written {
  content: string
  files: readonly MessageFileInput[]
  parent_message_id: number | null
}

/** The same, as this device keeps it. */
export interface DeviceDraft extends Written {
  user_id: number
  place: string
  /** The server has it too; then the server's copy is the one to believe. */
  saved: boolean
}

export const NOTHING: Written = { content: '', files: [], parent_message_id: null }

/** An answer without words is none. */
export function isEmpty({ content, files }: Written): boolean {
  return content === '' && files.length === 0
}

export function isSame(a: Written, b: Written): boolean {
  return (
    a.content === b.content &&
    a.parent_message_id === b.parent_message_id &&
    a.files.map(({ key }) => key).join() === b.files.map(({ key }) => key).join()
  )
}

let owner = 0
const kept = new Map<string, DeviceDraft>()

/** Read once at the start, so that a chat opens with its text in place. */
export async function loadDeviceDrafts(userId: number): Promise<readonly DeviceDraft[]> {
  owner = userId
  kept.clear()
  for (const draft of await readAll<DeviceDraft>('drafts'))
    if (draft.user_id === userId) kept.set(draft.place, { ...NOTHING, ...draft })
  return [...kept.values()]
}

export function deviceDraft(place: Place): DeviceDraft | undefined {
  return kept.get(placeKey(place))
}

export function setDeviceDraft(place: Place, written: Written, saved = false) {
  const key = placeKey(place)
  const { content, files, parent_message_id } = written
  kept.set(key, { user_id: owner, place: key, content, files, parent_message_id, saved })
}

/** Texts and files that no other device could show. */
export function listUnsavedDrafts(): DeviceDraft[] {
  return [...kept.values()].filter((draft) => !draft.saved && !isEmpty(draft))
}

/** The content was sent, or is empty on the server too. */
export function dropDeviceDraft(place: Place) {
  kept.delete(placeKey(place))
}

export function forgetDeviceDrafts() {
  kept.clear()
}

/** Writes down what is known of a place now. */
export async function writeDeviceDraft(place: string) {
  const draft = kept.get(place)
  const key = `${owner}/${place}`
  if (draft) await write('drafts', key, draft).catch(() => {})
  else await remove('drafts', key).catch(() => {})
}
