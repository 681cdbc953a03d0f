import type { TimelineMessage } from '@parley/contract'
import { signal } from '@preact/signals'

/** The message that the next one answers; the input field of its chat shows it. */
export const quoting = signal<TimelineMessage | null>(null)

/** The own message that is being edited; the input field of its chat holds its text. */
export const editing = signal<TimelineMessage | null>(null)

/** The key of the place whose draft was changed for its input field to show. */
export const returned = signal<string | null>(null)
