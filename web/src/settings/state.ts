import { readSections, type Sections } from '../chats/sections.js'
import type { Change } from '../platform/changes.js'
import type { Area } from '../platform/store.js'

/** What the client keeps for the person on the server. */
export interface Preferences {
  theme: 'auto' | 'light' | 'dark'
  contrast: boolean
  locale: 'auto' | 'en' | 'ru'
  /** Enter sends, or Ctrl Enter does. */
  enter_sends: boolean
  density: 'roomy' | 'compact'
  favourite_chat_ids: readonly number[]
  /** Sections of the list that the person made, in their order. */
  sections: Sections
  /** Sections of the list that are closed. */
  closed_sections: readonly string[]
}

export const USUAL: Preferences = {
  theme: 'auto',
  contrast: false,
  locale: 'auto',
  enter_sends: true,
  density: 'roomy',
  favourite_chat_ids: [],
  sections: [],
  closed_sections: [],
}

/** Unknown fields are kept, since another version of the client may have put them there. */
function read(kept: Record<string, unknown>): Preferences {
  return { ...USUAL, ...(kept as Partial<Preferences>), sections: readSections(kept.sections) }
}

export const preferences: Area<Preferences> = {
  initial: USUAL,
  reduce(state, change: Change) {
    if (change.type === 'started') return read(change.start.preferences as Record<string, unknown>)
    if (change.type === 'preferences') return read(change.preferences)
    if (change.type === 'live' && change.frame.type === 'preferences.changed')
      return read(change.frame.payload.preferences ?? {})
    return change.type === 'signed_out' ? { ...USUAL, theme: state.theme, locale: state.locale } : state
  },
}
