import { signal } from '@preact/signals'
import { loadDeviceDrafts } from './drafts/device.js'
import { readViews } from './forms/actions.js'
import { takeAnswer } from './messages/actions.js'
import { ApiFailure, call, onSignedOut } from './platform/api.js'
import type { LiveFrame } from './platform/changes.js'
import { clearDatabase } from './platform/database.js'
import { openLive } from './platform/live.js'
import { discard, openOutbox } from './platform/outbox.js'
import { openChannel } from './platform/tabs.js'
import { apply, state } from './store.js'
import { recountThreads } from './threads/actions.js'

/** Where the client stands: it does not know yet, nobody is signed in, or everything is there. */
export const phase = signal<'starting' | 'signed_out' | 'ready' | 'unreachable'>('starting')
/** The server was replaced by a newer one; the page should be loaded again. */
export const outdated = signal(false)

let live: { close(): void } | undefined
const tabs = openChannel<'signed_out'>('parley-session', () => leave())

async function readStart(): Promise<string> {
  const { data } = await call('getStart')
  apply({ type: 'started', start: data })
  // Without it everybody looks offline until the next change.
  void call('listPresence').then(
    ({ data }) => apply({ type: 'presence', people: data }),
    () => {},
  )
  return data.position
}

function take(frame: LiveFrame) {
  const me = state.session.value?.user.id ?? 0
  apply({ type: 'live', frame, me })
  if (frame.client_key) void discard(frame.client_key)
  recountThreads(frame, me)
  if (frame.type === 'view.opened') void readViews()
  // A personal chat that began with somebody's first message.
  const rootId = frame.message?.root_chat_id
  if (rootId !== undefined && !state.chats.value.has(rootId)) void readChat(rootId).catch(() => {})
  const named = namedIn(frame).filter((id) => !state.people.value.has(id))
  if (named.length > 0) void readPeople(named)
}

function namedIn({ message }: LiveFrame): number[] {
  if (!message) return []
  const { user_id, quoted, reactions, system_event } = message
  const reacted = reactions.flatMap(({ user_ids }) => user_ids)
  return [user_id, ...(quoted ? [quoted.user_id] : []), ...reacted, ...(system_event?.user_ids ?? [])]
}

async function readPeople(ids: readonly number[]) {
  const { data } = await call('listPeople', { query: { ids: [...new Set(ids)] } })
  apply({ type: 'people', people: data })
}

/** Reads the card of a chat that the state does not hold. */
export async function readChat(id: number) {
  const { data } = await call('getChatCard', { params: { id } })
  apply({ type: 'chat', chat: data })
}

/** Reads everything, then hears what happens from there on. */
export async function start() {
  phase.value = 'starting'
  try {
    const position = await readStart()
    await loadDeviceDrafts()
    await openOutbox(takeAnswer)
    live = openLive({
      position,
      onFrame: take,
      onReset() {
        apply({ type: 'stale', keep_chat_ids: [] })
        void readStart()
      },
      onVersion(version) {
        outdated.value = version !== state.session.value?.version
      },
      onSignedOut: leave,
    })
    phase.value = 'ready'
  } catch (error) {
    phase.value = error instanceof ApiFailure && error.status === 401 ? 'signed_out' : 'unreachable'
  }
}

/** Nobody is signed in any more. Drafts and the outbox stay for whoever signs in again. */
function leave() {
  live?.close()
  live = undefined
  apply({ type: 'signed_out' })
  phase.value = 'signed_out'
}

/** Signs out here and in every tab, and leaves nothing behind. */
export async function signOut() {
  await call('signOut')
  await clearDatabase()
  tabs.post('signed_out')
  leave()
}

onSignedOut(() => {
  if (phase.value === 'ready') leave()
})
