import { signal } from '@preact/signals'
import { type Answer, ApiFailure, call, type Input, newKey, type OperationName } from './api.js'
import { onLateWrites, readAll, remove, write } from './database.js'
import { openChannel, pause } from './tabs.js'

/** A write that must not be lost: kept on the device until the server has answered it. */
export interface Waiting<N extends OperationName = OperationName> {
  /** Goes along as Idempotency-Key, so that sending again never does it twice. */
  key: string
  /** Who wrote it; it is sent by nobody else who signs in on this device. */
  user_id: number
  /** Writes of one queue are sent one after another, in the order they were made. */
  queue: string
  order: number
  name: N
  input: Pick<Input<N>, 'params' | 'query' | 'body'>
  /** Uploaded before the write is sent; gone from the entry once it is there. */
  file?: File
  made_at: string
  state: 'waiting' | 'failed'
  /** Why the server refused it. */
  code: string | null
}

type Settled = (entry: Waiting, answer: unknown) => void
/** Uploads the file of an entry and gives the entry that names it. */
type Upload = (entry: Waiting, signal: AbortSignal) => Promise<Waiting>
type Told = { kind: 'changed' } | { kind: 'settled'; entry: Waiting; answer: unknown }

const WAIT_AT_LEAST_MS = 500
const WAIT_AT_MOST_MS = 15_000
/** On a line that is half open an answer never comes; the next attempt takes another line. */
const ANSWERED_WITHIN_MS = 10_000
const UPLOADED_WITHIN_MS = 5 * 60_000
/** The server knows a key for 24 hours. Later the same could be done twice, so that the person decides. */
const SENT_WITHIN_MS = 23 * 3_600_000

/** Everything of this person that is not answered yet, oldest first, in all tabs. */
export const outbox = signal<readonly Waiting[]>([])

let owner = 0
let onSettled: Settled = () => {}
let upload: Upload = async (entry) => entry
/** Not yet on the device, or refused by it; of whoever wrote it, also while nobody is signed in. */
const unwritten = new Map<string, Waiting>()
/** Answered or given up here: a slow reading of the device does not bring them back. */
const gone = new Set<string>()
const wakers = new Set<() => void>()

const channel = openChannel<Told>('parley-outbox', (told) => {
  if (told.kind === 'changed') return void refresh()
  if (told.entry.user_id === owner) settle(told.entry, told.answer)
  // The tab that sent it may end before it has done so.
  void remove('outbox', told.entry.key).catch(() => {})
})

// A tab was closed right after something was sent there.
if (typeof addEventListener === 'function') onLateWrites(() => void refresh())

function show(entries: Iterable<Waiting>) {
  outbox.value = [...entries].sort((a, b) => a.order - b.order)
  for (const wake of [...wakers]) wake()
}

async function refresh() {
  const written = await readAll<Waiting>('outbox').catch(() => [])
  const known = new Map([...written, ...unwritten.values()].map((entry) => [entry.key, entry]))
  show([...known.values()].filter(({ user_id, key }) => user_id === owner && !gone.has(key)))
}

async function keep(entry: Waiting) {
  unwritten.set(entry.key, entry)
  // Of a person who has left meanwhile nothing is shown.
  if (entry.user_id === owner) show([...outbox.value.filter(({ key }) => key !== entry.key), entry])
  const writing = write('outbox', entry.key, entry)
  // Told already now, for a page that ends before the browser has answered; a read waits for the write.
  channel.post({ kind: 'changed' })
  try {
    await writing
    if (unwritten.get(entry.key) === entry) unwritten.delete(entry.key)
  } catch {
    // The device takes nothing, as in a private window: it is sent all the same, but does not outlive this tab.
  }
  if (gone.has(entry.key)) await remove('outbox', entry.key).catch(() => {})
  channel.post({ kind: 'changed' })
}

/** Puts a write into the outbox; it is sent by the tab that leads, now or after the next reload. */
export async function enqueue<N extends OperationName>(
  queue: string,
  name: N,
  input: Waiting<N>['input'],
  file?: File,
) {
  const now = Date.now()
  const order = Math.max(now, (outbox.value.at(-1)?.order ?? 0) + 1)
  const made_at = new Date(now).toISOString()
  const sent = { queue, order, name, input, made_at, state: 'waiting', code: null, ...(file ? { file } : {}) }
  const entry = { key: newKey(), user_id: owner, ...sent } as Waiting
  await keep(entry)
  return entry.key
}

export function retry(key: string) {
  const entry = outbox.value.find((one) => one.key === key)
  if (entry) void keep({ ...entry, made_at: new Date().toISOString(), state: 'waiting', code: null })
}

function hide(key: string) {
  gone.add(key)
  unwritten.delete(key)
  if (outbox.value.some((one) => one.key === key)) show(outbox.value.filter((one) => one.key !== key))
}

/** Takes a write out: it was answered, or the person gave it up. */
export async function discard(key: string) {
  if (gone.has(key)) return
  hide(key)
  await remove('outbox', key).catch(() => {})
  channel.post({ kind: 'changed' })
}

/** The answer takes the place of the entry, in one step. */
function settle(entry: Waiting, answer: unknown) {
  onSettled(entry, answer)
  hide(entry.key)
}

/** Shows what this person has in the outbox. `settled` hears each answer before the entry leaves it. */
export async function openOutbox(userId: number, settled: Settled, uploadFirst: Upload) {
  if (owner !== userId) closeOutbox()
  owner = userId
  onSettled = settled
  upload = uploadFirst
  await refresh()
}

/** Nobody is signed in; what waits stays on the device. */
export function closeOutbox() {
  owner = 0
  show([])
}

/** Nothing of it is written down any more. */
export function forgetOutbox() {
  for (const { key } of outbox.value) gone.add(key)
  unwritten.clear()
}

/** Sends what waits until `ending`; for the tab that leads. */
export async function sendOutbox(ending: AbortSignal) {
  const busy = new Map<string, Promise<void>>()
  while (!ending.aborted) {
    for (const { queue } of nextOfEachQueue(outbox.value))
      if (!busy.has(queue))
        busy.set(
          queue,
          sendQueue(queue, ending).finally(() => busy.delete(queue)),
        )
    await woken(ending)
  }
  await Promise.all(busy.values())
}

async function sendQueue(queue: string, ending: AbortSignal) {
  let wait_ms = WAIT_AT_LEAST_MS
  while (!ending.aborted) {
    const next = nextOfEachQueue(outbox.value).find((entry) => entry.queue === queue)
    if (!next) return
    const retry_after_ms = await attempt(next, ending)
    if (retry_after_ms === null) wait_ms = WAIT_AT_LEAST_MS
    else {
      await pause(Math.max(wait_ms, retry_after_ms), ending)
      wait_ms = Math.min(WAIT_AT_MOST_MS, wait_ms * 2)
    }
  }
}

/** The oldest write of each queue that does not wait for the person. */
export function nextOfEachQueue(entries: readonly Waiting[]): Waiting[] {
  const heads = new Map<string, Waiting>()
  for (const entry of entries)
    if (entry.state === 'waiting' && !heads.has(entry.queue)) heads.set(entry.queue, entry)
  return [...heads.values()]
}

/** Null when the entry is settled; else nobody knows, and the same must be retried, not before the given time. */
async function attempt(waiting: Waiting, ending: AbortSignal): Promise<number | null> {
  const within = (ms: number) => AbortSignal.any([ending, AbortSignal.timeout(ms)])
  let entry = waiting
  if (Date.now() - Date.parse(entry.made_at) > SENT_WITHIN_MS) {
    await keep({ ...entry, state: 'failed', code: 'waited' })
    return null
  }
  try {
    if (entry.file) {
      entry = await upload(entry, within(UPLOADED_WITHIN_MS))
      // From here on a reload does not upload it again.
      if (!gone.has(entry.key)) await keep(entry)
    }
    const signal = within(ANSWERED_WITHIN_MS)
    const { key: idempotency_key, user_id } = entry
    const sent = { ...entry.input, idempotency_key, user_id, signal, keepalive: true }
    const answer = await call(entry.name, sent as never)
    settle(entry, answer as Answer<OperationName>)
    channel.post({ kind: 'settled', entry, answer })
    await remove('outbox', entry.key).catch(() => {})
    return null
  } catch (error) {
    if (!(error instanceof ApiFailure)) return 0
    if (error.status >= 500 || [401, 408, 409, 429].includes(error.status)) return error.retry_after_ms ?? 0
    if (!gone.has(entry.key)) await keep({ ...entry, state: 'failed', code: error.code })
    return null
  }
}

function woken(ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      wakers.delete(done)
      ending.removeEventListener('abort', done)
      resolve()
    }
    wakers.add(done)
    ending.addEventListener('abort', done)
    if (ending.aborted) done()
  })
}
