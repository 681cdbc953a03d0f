import { signal } from '@preact/signals'
import type { LiveFrame } from './changes.js'
import { type Connection, keepConnected, type Told } from './stream.js'
import { lead, openChannel, pause, watchSilence } from './tabs.js'

const WAIT_AT_LEAST_MS = 500
const WAIT_AT_MOST_MS = 8_000
/** A tab that leads answers a question at once; within this time nobody else may take the lead. */
const ANSWERED_WITHIN_MS = 1_000

export const connection = signal<Connection>('connecting')

export interface LiveOptions {
  /** Reads everything and says which position that stands at; repeated while the server cannot be reached. */
  read(): Promise<string>
  onFrame(frame: LiveFrame): void
  /** The stream stands again; what comes in passing may have been missed. */
  onReady(version: string): void
  onSignedOut(): void
  /** Runs beside the stream in the tab that leads. */
  work(ending: AbortSignal): Promise<void>
}

export interface Live {
  close(): void
}

type Question = { kind: 'hello' }

const isNewer = (position: string, than: string) => Number(position) > Number(than)

/**
 * Hears the live stream, over this tab's own connection or that of the tab that leads. The tabs are heard before
 * everything is read, and what they tell meanwhile waits, so that nothing falls between the two.
 */
export function openLive(options: LiveOptions): Live {
  let heard = '0'
  let held: Told[] | null = []
  let reading = false
  let leads = false
  const closing = new AbortController()

  const channel = openChannel<Told | Question>('parley-live', (told) => {
    if (told.kind !== 'hello') hear(told)
    else if (leads) {
      channel.post({ kind: 'connection', connection: connection.peek() })
      channel.post({ kind: 'alive', after: heard })
    }
  })
  const silence = watchSilence(() => {
    const before = lastHeard
    channel.post({ kind: 'hello' })
    void pauseFor(ANSWERED_WITHIN_MS * (1 + Math.random())).then(() => {
      if (before === lastHeard && !closing.signal.aborted) leading?.steal()
    })
  })
  const pauseFor = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  let lastHeard = 0

  function hear(told: Told) {
    lastHeard += 1
    silence.heard()
    if (told.kind === 'connection') connection.value = told.connection
    else if (held) held.push(told)
    else take(told)
  }

  function take(told: Exclude<Told, { kind: 'connection' }>) {
    if (told.kind === 'reset') {
      heard = told.position
      void readAgain()
    } else if (isNewer(told.after, heard)) {
      void readAgain(told)
    } else if (told.kind === 'ready') options.onReady(told.version)
    else if (told.kind === 'frame') {
      if (told.position !== null && !isNewer(told.position, heard)) return
      heard = told.position ?? heard
      // An import writes no event for each of its chats and messages.
      if (told.frame.type === 'workspace.imported') void readAgain()
      else options.onFrame(told.frame)
    }
  }

  /** Reads everything; what is told meanwhile comes after it. */
  async function readAgain(...first: Told[]) {
    held = [...(held ?? []), ...first]
    if (reading) return
    reading = true
    const position = await readUntilAnswered(options.read, closing.signal)
    reading = false
    if (position === null) return
    if (isNewer(position, heard)) heard = position
    const waited = held
    held = null
    for (const told of waited) hear(told)
  }

  let leading: ReturnType<typeof lead> | undefined
  channel.post({ kind: 'hello' })
  void readAgain().then(() => {
    if (closing.signal.aborted) return
    leading = lead('parley-live', async (ending) => {
      leads = true
      const tell = (told: Told) => {
        hear(told)
        if (!ending.aborted) channel.post(told)
      }
      const stream = { position: () => heard, tell, onSignedOut: options.onSignedOut }
      await Promise.all([keepConnected(stream, ending), options.work(ending)])
      leads = false
    })
  })

  return {
    close() {
      closing.abort()
      leading?.close()
      silence.stop()
      channel.close()
    },
  }
}

/** Null when `ending` came first. */
async function readUntilAnswered(read: () => Promise<string>, ending: AbortSignal): Promise<string | null> {
  for (let wait_ms = WAIT_AT_LEAST_MS; !ending.aborted; wait_ms = Math.min(WAIT_AT_MOST_MS, wait_ms * 2)) {
    try {
      return await read()
    } catch {
      connection.value = 'offline'
      await pause(wait_ms * (0.5 + Math.random() / 2), ending)
    }
  }
  return null
}
