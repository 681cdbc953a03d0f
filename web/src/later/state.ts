import type { Area } from '../platform/store.js'

/** Counts what happened to drafts and scheduled messages: the live stream has their ids, but not their content. */
export const draftChanges: Area<number> = {
  initial: 0,
  reduce(state, change) {
    return change.type === 'live' && change.frame.type.startsWith('draft.') ? state + 1 : state
  },
}
