import type { TimelineMessage } from '@parley/contract'
import { messages } from '../messages/state.js'
import type { Change } from '../platform/changes.js'
import type { Area } from '../platform/store.js'

/** As its own run, with messages before and after it. */
function afterChange(parent: TimelineMessage, change: Change): TimelineMessage {
  const { chat_id } = parent
  const run = { messages: [parent], has_older: true, has_newer: true }
  const [now] = messages.reduce(new Map([[chat_id, run]]), change).get(chat_id)?.messages ?? []
  return now ?? parent
}

/** The message above the open thread, where it is not among those of its chat that are here. */
export const threadParent: Area<TimelineMessage | null> = {
  initial: null,
  reduce(state, change) {
    switch (change.type) {
      case 'thread_parent':
        return change.message
      case 'live':
        return state && afterChange(state, change)
      case 'stale':
      case 'signed_out':
        return null
      default:
        return state
    }
  },
}
