import { state } from '../store.js'

/** Guests have no bots of their own. */
export function isGuest(): boolean {
  const role = state.session.value?.role
  return role === 'guest' || role === 'multi_guest'
}
