import type { TimelineMessage } from '@parley/contract'
import { call } from '../platform/api.js'
import { refusalText } from '../platform/refusal.js'
import { toast } from '../ui/toast.js'
import { editing } from './quoting.js'

/** What messages shall become that are being edited, by their ids. */
const unsaved = new Map<number, string>()

/** The text to go on with: what was written before the person went to another chat, else the message's own. */
export function editedText({ id, content }: TimelineMessage): string {
  return unsaved.get(id) ?? content
}

export function keepEdit(id: number, text: string) {
  unsaved.set(id, text)
}

export function dropEdit(id: number) {
  unsaved.delete(id)
}

/** Changes a message; where that fails, the text comes back into the field. */
export async function saveEdit(message: TimelineMessage, content: string) {
  const { id } = message
  try {
    await call('updateMessage', { params: { id }, body: { message: { content } } })
    if (unsaved.get(id) === content) dropEdit(id)
  } catch (error) {
    editing.value ??= message
    toast(refusalText(error), { look: 'bad' })
  }
}
