import type { TimelineMessage } from '@parley/contract'
import { editing } from './quoting.js'

/** An own message and the text that it shall have. */
interface Edit {
  message: TimelineMessage
  content: string
}

/** What this tab keeps over a reload. Another tab of the person does not open what is edited here. */
interface Kept {
  user_id: number
  written_ms: number
  edits: Edit[]
}

const KEPT_AT = 'parley-edits'
/** After a day the message may be another one, and the person has forgotten it. */
const KEPT_MS = 86_400_000

let owner = 0
/** Edits that are not saved yet, by the ids of their messages; the one that was written last comes last. */
const unsaved = new Map<number, Edit>()

function readKept(): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT_AT) ?? 'null')
  } catch {
    return null
  }
}

function writeKept() {
  const kept: Kept = { user_id: owner, written_ms: Date.now(), edits: [...unsaved.values()] }
  try {
    if (unsaved.size === 0) sessionStorage.removeItem(KEPT_AT)
    else sessionStorage.setItem(KEPT_AT, JSON.stringify(kept))
  } catch {
    // No room, or not allowed: the edit lives as long as the page.
  }
}

/** Takes up what this person was editing when the page was left. */
export function openEdits(userId: number) {
  owner = userId
  unsaved.clear()
  editing.value = null
  const kept = readKept()
  if (kept?.user_id !== userId || Date.now() - kept.written_ms > KEPT_MS) return writeKept()
  for (const edit of kept.edits) unsaved.set(edit.message.id, edit)
  editing.value = kept.edits.at(-1)?.message ?? null
}

/** Leaves nothing of them behind. */
export function forgetEdits() {
  unsaved.clear()
  editing.value = null
  writeKept()
}

/** Edits that would be lost with this tab. */
export const countEdits = () => unsaved.size

/** The text to go on with: what was written before the person went to another chat, else the message's own. */
export function editedText({ id, content }: TimelineMessage): string {
  return unsaved.get(id)?.content ?? content
}

export function keepEdit(message: TimelineMessage, content: string) {
  unsaved.delete(message.id)
  if (content !== message.content) unsaved.set(message.id, { message, content })
  writeKept()
}

export function dropEdit(id: number) {
  unsaved.delete(id)
  writeKept()
}

/** The message has this text now; what was written since then stays. */
export function dropSaved(id: number, content: string) {
  if (unsaved.get(id)?.content === content) dropEdit(id)
}
