import type { LiveFrame } from './changes.js'
import { readEvents, type ServerSentEvent } from './sse.js'
import { pause, watchSilence } from './tabs.js'

export type Connection = 'connecting' | 'online' | 'offline'

/** What the tab that holds the stream sends to itself and the others. */
export type Told =
  /** `after` is the position of the stream before it: a tab at an earlier position has missed something. */
  | { kind: 'frame'; position: string | null; after: string; frame: LiveFrame }
  | { kind: 'ready'; after: string; version: string }
  | { kind: 'reset'; position: string; version: string }
  /** `term` is higher in a tab that took the lead later. */
  | { kind: 'connection'; connection: Connection; term?: number }
  | { kind: 'alive'; after: string }

/** The server sends a sign of life every five seconds. */
const DEAD_AFTER_MS = 12_000
const WAIT_AT_LEAST_MS = 500
const WAIT_AT_MOST_MS = 8_000

interface StreamOptions {
  /** Where to go on from. */
  position(): string
  tell(told: Told): void
  onSignedOut(): void
}

/** Connects, and again whenever the line is lost, until `ending`. */
export async function keepConnected(options: StreamOptions, ending: AbortSignal) {
  const { tell } = options
  let wait_ms = WAIT_AT_LEAST_MS
  while (!ending.aborted) {
    try {
      const signedIn = await listen(options, ending, () => {
        wait_ms = WAIT_AT_LEAST_MS
      })
      if (!signedIn) return options.onSignedOut()
    } catch {
      // The connection was lost or refused; retried after the wait below.
    }
    if (ending.aborted) return
    tell({ kind: 'connection', connection: 'offline' })
    await pause(wait_ms * (0.5 + Math.random() / 2), ending)
    wait_ms = Math.min(WAIT_AT_MOST_MS, wait_ms * 2)
    if (!ending.aborted) tell({ kind: 'connection', connection: 'connecting' })
  }
}

/** Listens until the line is lost; false when nobody is signed in. */
async function listen({ position, tell }: StreamOptions, ending: AbortSignal, onOpen: () => void) {
  const dead = new AbortController()
  const giveUp = () => dead.abort()
  const silence = watchSilence(giveUp, DEAD_AFTER_MS)
  // The device has lost its network: nothing would be heard, and nothing be said of it until the silence is noticed.
  addEventListener('offline', giveUp)
  let after = position()
  try {
    const response = await fetch('/v1/live', {
      headers: { Accept: 'text/event-stream', 'Parley-Client': 'web', 'Last-Event-ID': after },
      signal: AbortSignal.any([ending, dead.signal]),
      cache: 'no-store',
    })
    if (response.status === 401 || response.status === 403) return false
    if (!response.ok || !response.body) throw new Error(`live stream answered ${response.status}`)
    onOpen()
    tell({ kind: 'connection', connection: 'online' })
    const feed = readEvents((event) => {
      tell(toldOf(event, after))
      after = event.id ?? after
    })
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let heard_ms = Date.now()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      // The page was frozen: presence that came meanwhile is old, and another tab may lead.
      if (Date.now() - heard_ms > DEAD_AFTER_MS) break
      heard_ms = Date.now()
      silence.heard()
      feed(piece.value)
    }
    return true
  } finally {
    silence.stop()
    removeEventListener('offline', giveUp)
    dead.abort()
  }
}

function toldOf({ id, event, data }: ServerSentEvent, after: string): Told {
  if (event === '') return { kind: 'alive', after }
  const body = JSON.parse(data || '{}')
  if (event === 'ready') return { kind: 'ready', after, version: body.version }
  if (event === 'reset') return { kind: 'reset', position: id ?? '0', version: body.version }
  return { kind: 'frame', position: id, after, frame: body as LiveFrame }
}
