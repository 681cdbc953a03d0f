import type { Area } from '../platform/store.js'

const CHANGES = new Set(['message.pinned', 'message.unpinned', 'message.updated', 'message.deleted'])

/** Grows whenever what is pinned somewhere may have changed: most pinned messages are not among those that are here. */
export const pinRevision: Area<number> = {
  initial: 0,
  reduce(state, change) {
    if (change.type === 'stale') return state + 1
    if (change.type !== 'live' || !CHANGES.has(change.frame.type)) return state
    // A message that was edited says whether it is pinned, one that was deleted does not.
    const { type, message } = change.frame
    return type === 'message.updated' && !message?.pinned ? state : state + 1
  },
}
