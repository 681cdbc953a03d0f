import { signal } from '@preact/signals'
import type { LiveFrame } from './changes.js'
import { readEvents, type ServerSentEvent } from './sse.js'
import { lead, openChannel, watchSilence } from './tabs.js'

export type Connection = 'connecting' | 'online' | 'offline'

/** The server sends a sign of life every five seconds. */
const DEAD_AFTER_MS = 12_000
const WAIT_AT_LEAST_MS = 500
const WAIT_AT_MOST_MS = 8_000

export const connection = signal<Connection>('connecting')

export interface LiveOptions {
  /** Where this tab's state stands; the stream goes on from there. */
  position: string
  onFrame(frame: LiveFrame): void
  /** Too much was missed: read everything again and say where that stands. */
  onReset(): void
  /** The stream tells the version of the server. */
  onVersion(version: string): void
  onSignedOut(): void
}

type Told =
  | { kind: 'frame'; position: string | null; frame: LiveFrame }
  | { kind: 'note'; event: 'ready' | 'reset'; position: string | null; version?: string }
  | { kind: 'connection'; connection: Connection }
  | { kind: 'alive' }

const isNewer = (position: string, than: string) => Number(position) > Number(than)

/** Hears the live stream, over this tab's own connection or that of the tab that leads. */
export function openLive(options: LiveOptions): { close(): void } {
  let { position } = options
  const closing = new AbortController()
  const silence = watchSilence(() => leading.steal())

  function take(told: Told) {
    if (told.kind === 'connection') connection.value = told.connection
    else if (told.kind === 'note') {
      if (told.version) options.onVersion(told.version)
      if (told.event === 'reset') options.onReset()
      if (told.event === 'reset' && told.position) position = told.position
    } else if (told.kind === 'frame') {
      if (told.position !== null && !isNewer(told.position, position)) return
      if (told.position !== null) position = told.position
      options.onFrame(told.frame)
    }
  }

  const channel = openChannel<Told>('parley-live', (told) => {
    silence.heard()
    take(told)
  })
  const tell = (told: Told) => {
    silence.heard()
    take(told)
    channel.post(told)
  }

  const leading = lead('parley-live', async (taken) => {
    const ending = AbortSignal.any([taken, closing.signal])
    await keepConnected(() => position, tell, options.onSignedOut, ending)
  })

  return {
    close() {
      closing.abort()
      silence.stop()
      channel.close()
    },
  }
}

/** Connects, and again whenever the line is lost, until `ending`. */
async function keepConnected(
  position: () => string,
  tell: (told: Told) => void,
  onSignedOut: () => void,
  ending: AbortSignal,
) {
  let wait_ms = WAIT_AT_LEAST_MS
  while (!ending.aborted) {
    try {
      const signedIn = await listen(position(), tell, ending, () => {
        wait_ms = WAIT_AT_LEAST_MS
      })
      if (!signedIn) return onSignedOut()
    } catch {
      // The line was cut or never stood; the wait below is followed by the next attempt.
    }
    if (ending.aborted) return
    tell({ kind: 'connection', connection: 'offline' })
    await pause(wait_ms * (0.5 + Math.random() / 2), ending)
    wait_ms = Math.min(WAIT_AT_MOST_MS, wait_ms * 2)
    tell({ kind: 'connection', connection: 'connecting' })
  }
}

/** Listens until the line is lost; false when nobody is signed in. */
async function listen(position: string, tell: (told: Told) => void, ending: AbortSignal, onOpen: () => void) {
  const dead = new AbortController()
  const silence = watchSilence(() => dead.abort(), DEAD_AFTER_MS)
  try {
    const response = await fetch('/v1/live', {
      headers: { Accept: 'text/event-stream', 'Parley-Client': 'web', 'Last-Event-ID': position },
      signal: AbortSignal.any([ending, dead.signal]),
      cache: 'no-store',
    })
    if (response.status === 401 || response.status === 403) return false
    if (!response.ok || !response.body) throw new Error(`live stream answered ${response.status}`)
    onOpen()
    tell({ kind: 'connection', connection: 'online' })
    const feed = readEvents((event) => tell(toldOf(event)))
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      silence.heard()
      feed(piece.value)
    }
    return true
  } finally {
    silence.stop()
  }
}

function toldOf({ id, event, data }: ServerSentEvent): Told {
  if (event === '') return { kind: 'alive' }
  const body = JSON.parse(data || '{}')
  if (event === 'ready' || event === 'reset')
    return { kind: 'note', event, position: id, version: body.version }
  return { kind: 'frame', position: id, frame: body as LiveFrame }
}

/** Waits, but no longer than until the browser is online or the tab is looked at again. */
function pause(ms: number, ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      for (const name of ['online', 'pageshow']) removeEventListener(name, done)
      document.removeEventListener('visibilitychange', done)
      ending.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    for (const name of ['online', 'pageshow']) addEventListener(name, done)
    document.addEventListener('visibilitychange', done)
    ending.addEventListener('abort', done)
  })
}
