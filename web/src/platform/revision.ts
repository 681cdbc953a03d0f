import type { LiveFrame } from './changes.js'
import type { Area } from './store.js'

/** Grows whenever what a list shows may have changed: the list is read again then (`usePages`). */
export const revisionBy = (isMeant: (frame: LiveFrame) => boolean): Area<number> => ({
  initial: 0,
  reduce(state, change) {
    if (change.type === 'stale') return state + 1
    return change.type === 'live' && isMeant(change.frame) ? state + 1 : state
  },
})

/** By the beginnings of the types of events. */
export const revisionOf = (...areas: readonly string[]) =>
  revisionBy(({ type }) => areas.some((area) => type.startsWith(`${area}.`)))
