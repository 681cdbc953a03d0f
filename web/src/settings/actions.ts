import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { apply, state } from '../store.js'
import { toast } from '../ui/toast.js'
import type { Preferences } from './state.js'

/** Shows the change at once and keeps it for all devices; takes it back where the server does not take it. */
export async function savePreferences(change: Partial<Preferences>) {
  const before = { ...state.preferences.peek() }
  const preferences = { ...before, ...change }
  apply({ type: 'preferences', preferences })
  try {
    await call('setPreferences', { body: { preferences } })
  } catch {
    apply({ type: 'preferences', preferences: before })
    toast(words().common.failed, { look: 'bad' })
  }
}
