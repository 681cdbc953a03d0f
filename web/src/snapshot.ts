import { effect } from '@preact/signals'
import type { Messages, Run } from './messages/state.js'
import { clearStore, readEntries, writeMany } from './platform/database.js'
import { restore, state } from './store.js'

/** A snapshot of the state on this device: the next start shows it before the server has answered. */

const AREAS = ['session', 'counters', 'preferences', 'notifications', 'people', 'chats', 'drafts'] as const
const WRITE_AFTER_MS = 1500
const KEPT_OF_CHAT = 50
/** The name of this bundle. A snapshot of another build may have another shape. */
const BUILD = import.meta.url
const RUN = 'run:'
/** Its store in the browser's database. */
const STORE = 'copy'

/** Shows the snapshot; false where there is none that this build understands. */
export async function loadSnapshot(): Promise<boolean> {
  const kept = await readEntries(STORE).catch(() => new Map<string, unknown>())
  if (kept.get('build') !== BUILD || !kept.get('session')) return false
  const messages = new Map<number, Run>()
  for (const [key, run] of kept)
    if (key.startsWith(RUN)) messages.set(Number(key.slice(RUN.length)), { ...(run as Run), stale: true })
  restore({ ...Object.fromEntries(AREAS.map((area) => [area, kept.get(area)])), messages })
  return true
}

/** What of a chat is kept: its newest page, where that is known. */
function keptOf(run: Run): Run | undefined {
  if (run.has_newer) return undefined
  const messages = run.messages.slice(-KEPT_OF_CHAT)
  return { messages, has_older: run.has_older || messages.length < run.messages.length, has_newer: false }
}

function changedRuns(before: Messages, now: Messages): Map<string, unknown> {
  const changes = new Map<string, unknown>()
  for (const [id, run] of now) if (before.get(id) !== run && !run.stale) changes.set(RUN + id, keptOf(run))
  for (const id of before.keys()) if (!now.has(id)) changes.set(RUN + id, undefined)
  return changes
}

/** Copying hundreds of chats takes a while: not while somebody types or a message is being drawn. */
function whenIdle(work: () => void) {
  if ('requestIdleCallback' in window) requestIdleCallback(work, { timeout: WRITE_AFTER_MS })
  else work()
}

/** Keeps the snapshot up to date until `ending`; for the tab that leads. */
export function keepSnapshot(ending: AbortSignal) {
  const written = new Map<string, unknown>()
  let runs: Messages = new Map()
  let timer: ReturnType<typeof setTimeout> | undefined

  async function writeChanges() {
    clearTimeout(timer)
    timer = undefined
    if (ending.aborted || !state.session.peek()) return
    const changes = changedRuns(runs, state.messages.peek())
    runs = state.messages.peek()
    for (const area of AREAS) {
      const value = state[area].peek()
      if (written.get(area) === value) continue
      written.set(area, value)
      changes.set(area, value)
    }
    changes.set('build', BUILD)
    await writeMany(STORE, changes).catch(() => {})
    // The person signed out during the write.
    if (ending.aborted && !state.session.peek()) await clearSnapshot()
  }

  const stop = effect(() => {
    for (const area of [...AREAS, 'messages'] as const) state[area].value
    timer ??= setTimeout(() => whenIdle(() => void writeChanges()), WRITE_AFTER_MS)
  })
  const onHide = () => void writeChanges()
  addEventListener('pagehide', onHide)
  ending.addEventListener('abort', () => {
    stop()
    clearTimeout(timer)
    removeEventListener('pagehide', onHide)
  })
}

export async function clearSnapshot() {
  await clearStore(STORE).catch(() => {})
}
