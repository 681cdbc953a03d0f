import { state } from '../store.js'
import type { Found } from './use-search.js'

/** Results of the last search, for those who opened one of them and come back. */
interface Kept {
  user_id: number
  found: Found
  /** How far the list was scrolled. */
  scrolled: number
}

let count = 0
let last: { id: number; kept: Kept } | undefined

/** Keeps results for the current entry of the browser's history; an earlier search is asked again. */
export function keepResults(found: Found) {
  count += 1
  last = { id: count, kept: { user_id: state.session.peek()?.user.id ?? 0, found, scrolled: 0 } }
  history.replaceState({ search: count }, '')
}

/** The results of the current entry of the browser's history, where they are still kept for this person. */
export function keptResults(): Kept | undefined {
  if (!last || history.state?.search !== last.id) return undefined
  return last.kept.user_id === state.session.peek()?.user.id ? last.kept : undefined
}

export function keepScrolled(scrolled: number) {
  if (last) last.kept.scrolled = scrolled
}
