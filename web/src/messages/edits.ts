import type { TimelineMessage } from '@parley/contract'
import { call } from '../platform/api.js'
import { refusalText } from '../platform/refusal.js'
import { toast } from '../ui/toast.js'
import { dropSaved } from './kept-edits.js'
import { editing } from './quoting.js'

/** Changes a message; where that fails, the text comes back into the field. */
export async function saveEdit(message: TimelineMessage, content: string) {
  const { id } = message
  try {
    await call('updateMessage', { params: { id }, body: { message: { content } } })
    dropSaved(id, content)
  } catch (error) {
    editing.value ??= message
    toast(refusalText(error), { look: 'bad' })
  }
}
