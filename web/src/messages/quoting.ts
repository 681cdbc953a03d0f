import type { TimelineMessage } from '@parley/contract'
import { signal } from '@preact/signals'
import { state } from '../store.js'

/** The message that the next one answers; the input field of its chat shows it. */
export const quoting = signal<TimelineMessage | null>(null)

/** The own message that is being edited; the input field of its chat holds its text. */
export const editing = signal<TimelineMessage | null>(null)

/** The key of the place whose draft was changed for its input field to show. */
export const returned = signal<string | null>(null)

/** Without a field there is nowhere to answer or to edit. Of threads the card may not be here, and all who see them may write. */
export function mayWriteIn(chatId: number): boolean {
  return state.chats.value.get(chatId)?.may.includes('write') ?? true
}
