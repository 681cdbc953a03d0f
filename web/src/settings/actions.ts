import { call } from '../platform/api.js'
import type { LiveFrame } from '../platform/changes.js'
import { words } from '../platform/i18n.js'
import { apply, state } from '../store.js'
import { toast } from '../ui/toast.js'
import { createEchoes } from './echoes.js'
import type { Preferences } from './state.js'

const echoes = createEchoes()

/** An event of a save that this tab made. */
export function isOwnSave({ type, payload }: LiveFrame): boolean {
  return type === 'preferences.changed' && echoes.isEcho(payload.preferences)
}

/** One save follows another: of two at once the older one could arrive last, and stay. */
let saving: Promise<unknown> = Promise.resolve()

/** Shows the change at once and keeps it for all devices; takes it back where the server does not take it. */
export async function savePreferences(change: Partial<Preferences>) {
  const before = { ...state.preferences.peek() }
  const preferences = { ...before, ...change }
  apply({ type: 'preferences', preferences })
  echoes.sent(preferences)
  const saved = saving.then(() => call('setPreferences', { body: { preferences } }))
  saving = saved.catch(() => {})
  try {
    await saved
  } catch {
    echoes.failed(preferences)
    apply({ type: 'preferences', preferences: before })
    toast(words().common.failed, { look: 'bad' })
  }
}
