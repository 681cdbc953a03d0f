import { signal } from '@preact/signals'
import { type Answer, ApiFailure, call, type Input, newKey, type OperationName } from './api.js'
import { readAll, remove, write } from './database.js'
import { lead, openChannel } from './tabs.js'

/** A write that must not be lost: kept on the device until the server has answered it. */
export interface Waiting<N extends OperationName = OperationName> {
  /** Goes along as Idempotency-Key, so that sending again never does it twice. */
  key: string
  /** Writes of one queue are sent one after another, in the order they were made. */
  queue: string
  name: N
  input: Pick<Input<N>, 'params' | 'query' | 'body'>
  made_at: string
  state: 'waiting' | 'failed'
  /** Why the server refused it. */
  code: string | null
}

type Settled = (entry: Waiting, answer: unknown) => void

const WAIT_AT_LEAST_MS = 500
const WAIT_AT_MOST_MS = 15_000

/** Everything that is not answered yet, oldest first, in all tabs. */
export const outbox = signal<readonly Waiting[]>([])

let onSettled: Settled = () => {}
let wake: () => void = () => {}
const channel = openChannel<'changed'>('parley-outbox', () => void refresh())

async function refresh() {
  const entries = await readAll<Waiting>('outbox')
  outbox.value = entries.sort((a, b) => (a.made_at < b.made_at ? -1 : 1))
  wake()
}

async function keep(entry: Waiting) {
  outbox.value = [...outbox.value.filter(({ key }) => key !== entry.key), entry].sort((a, b) =>
    a.made_at < b.made_at ? -1 : 1,
  )
  await write('outbox', entry.key, entry)
  channel.post('changed')
  wake()
}

/** Puts a write into the outbox; it is sent by the tab that leads, now or after the next reload. */
export async function enqueue<N extends OperationName>(queue: string, name: N, input: Waiting<N>['input']) {
  const made_at = new Date().toISOString()
  const entry = { key: newKey(), queue, name, input, made_at, state: 'waiting', code: null } as Waiting
  await keep(entry)
  return entry.key
}

export function retry(key: string) {
  const entry = outbox.value.find((one) => one.key === key)
  if (entry) void keep({ ...entry, state: 'waiting', code: null })
}

/** Takes a write out: it was answered, or the person gave it up. */
export async function discard(key: string) {
  outbox.value = outbox.value.filter((one) => one.key !== key)
  await remove('outbox', key)
  channel.post('changed')
}

/** Begins to send. `settled` hears each answer before the entry leaves the outbox. */
export async function openOutbox(settled: Settled) {
  onSettled = settled
  await refresh()
  lead('parley-outbox', async (taken) => {
    let wait_ms = WAIT_AT_LEAST_MS
    while (!taken.aborted) {
      const [next] = nextOfEachQueue(outbox.value)
      if (!next) await woken()
      else if (await attempt(next)) wait_ms = WAIT_AT_LEAST_MS
      else {
        await Promise.race([new Promise((resolve) => setTimeout(resolve, wait_ms)), onlineAgain()])
        wait_ms = Math.min(WAIT_AT_MOST_MS, wait_ms * 2)
      }
    }
  })
}

/** The oldest write of each queue, unless that one failed and waits for the person. */
export function nextOfEachQueue(entries: readonly Waiting[]): Waiting[] {
  const heads = new Map<string, Waiting>()
  for (const entry of entries)
    if (entry.state === 'waiting' && !heads.has(entry.queue)) heads.set(entry.queue, entry)
  return [...heads.values()]
}

/** True when the entry is settled, false when nobody knows and the same must be tried again. */
async function attempt(entry: Waiting): Promise<boolean> {
  try {
    const answer = await call(entry.name, { ...entry.input, idempotency_key: entry.key } as never)
    onSettled(entry, answer as Answer<OperationName>)
    await discard(entry.key)
    return true
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.status >= 500 || [401, 408, 409, 429].includes(error.status))
      return false
    await keep({ ...entry, state: 'failed', code: error.code })
    return true
  }
}

function woken(): Promise<void> {
  return new Promise((resolve) => {
    wake = resolve
  })
}

function onlineAgain(): Promise<unknown> {
  return new Promise((resolve) => addEventListener('online', resolve, { once: true }))
}
