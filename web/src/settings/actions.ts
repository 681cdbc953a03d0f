import { sayFailure } from '../frame/attempt.js'
import { call } from '../platform/api.js'
import type { LiveFrame } from '../platform/changes.js'
import { apply, state } from '../store.js'
import { createEchoes } from './echoes.js'
import type { Preferences } from './state.js'

const echoes = createEchoes()

/** An event of a save that this tab made. */
export function isOwnSave({ type, payload }: LiveFrame): boolean {
  return type === 'preferences.changed' && echoes.isEcho(payload.preferences)
}

/** One save follows another: of two at once the older one could arrive last, and stay. */
let saving: Promise<unknown> = Promise.resolve()
/** What the server keeps, while changes of it are on their way there, oldest first. */
let kept = state.preferences.peek()
let waiting: readonly Partial<Preferences>[] = []

const show = () => apply({ type: 'preferences', preferences: Object.assign({}, kept, ...waiting) })

/** Shows the change at once and keeps it for all devices; takes it back where the server does not take it. */
export function savePreferences(change: Partial<Preferences>): Promise<unknown> {
  if (waiting.length === 0) kept = state.preferences.peek()
  waiting = [...waiting, change]
  show()
  saving = saving.then(() => save(change))
  return saving
}

async function save(change: Partial<Preferences>) {
  const preferences = { ...kept, ...change }
  echoes.sent(preferences)
  try {
    await call('setPreferences', { body: { preferences } })
    kept = preferences
    waiting = waiting.slice(1)
  } catch (error) {
    echoes.failed(preferences)
    waiting = waiting.slice(1)
    show()
    sayFailure(error)
  }
}
