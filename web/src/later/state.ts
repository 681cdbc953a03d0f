import type { Area } from '../platform/store.js'

/** Counts what happened to drafts and scheduled messages: the live stream tells of them, but not what they hold. */
export const draftChanges: Area<number> = {
  initial: 0,
  reduce(state, change) {
    return change.type === 'live' && change.frame.type.startsWith('draft.') ? state + 1 : state
  },
}
