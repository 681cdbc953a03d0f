import { signal } from '@preact/signals'
import type { LiveFrame } from './changes.js'
import { createPace } from './pace.js'
import { type Connection, keepConnected, type Told } from './stream.js'
import { isWaitedFor, lead, openChannel, pause, watchSilence } from './tabs.js'

/** Name of the lock that the leading tab holds, and of the channel between tabs. */
const LIVE = 'parley-live'
const WAIT_AT_LEAST_MS = 500
const WAIT_AT_MOST_MS = 8_000
/** A tab that leads answers a question at once; within this time nobody else may take the lead. */
const ANSWERED_WITHIN_MS = 1_000

export const connection = signal<Connection>('connecting')

export interface LiveOptions {
  /** Reads everything and returns its position; repeated while the server cannot be reached. */
  read(): Promise<string>
  /** What happened, in order: one frame, or what came within a moment. */
  onFrames(frames: readonly LiveFrame[]): void
  /** The stream is connected again. */
  onReady(version: string): void
  /** Ephemeral events may have been missed until now, and will be heard from now on. */
  onMissed(): void
  onSignedOut(): void
  /** Runs in the tab that leads, while it does. */
  work(ending: AbortSignal): Promise<void>
}

export interface Live {
  /** Reads everything, as after a gap. */
  readAgain(): void
  close(): void
}

type Question = { kind: 'hello' }

const isNewer = (position: string, than: string) => Number(position) > Number(than)

/**
 * Applies what the tabs send, in order of positions. Reads everything at the start and after a gap; what arrives
 * meanwhile is queued and applied after it.
 */
function createFollower(options: LiveOptions, closing: AbortSignal) {
  let position = '0'
  let queued: Told[] | null = []
  let reading = false
  /** Whether ephemeral events may have been missed; the first word of the stream says that they come again. */
  let missed = true
  const pace = createPace(options.onFrames)
  closing.addEventListener('abort', pace.close)

  function hear(told: Told) {
    if (told.kind === 'connection') connection.value = told.connection
    else if (queued) queued.push(told)
    else take(told)
  }

  function take(told: Exclude<Told, { kind: 'connection' }>) {
    if (told.kind === 'reset') {
      position = told.position
      return void readAgain()
    }
    if (isNewer(told.after, position)) return void readAgain(told)
    if (told.kind === 'ready') options.onReady(told.version)
    if (missed || told.kind === 'ready') options.onMissed()
    missed = false
    if (told.kind === 'frame') {
      if (told.position !== null && !isNewer(told.position, position)) return
      position = told.position ?? position
      // An import writes no event for each of its chats and messages.
      if (told.frame.type === 'workspace.imported') void readAgain()
      else pace.add(told.frame)
    }
  }

  async function readAgain(...first: Told[]) {
    queued = [...(queued ?? []), ...first]
    if (reading) return
    reading = true
    pace.flush()
    const read = await readUntilAnswered(options.read, closing)
    reading = false
    if (read === null) return
    if (isNewer(read, position)) position = read
    missed = true
    const waited = queued
    queued = null
    for (const told of waited) hear(told)
  }

  const miss = () => {
    missed = true
  }
  return { hear, readAgain, miss, position: () => position }
}

/**
 * Follows the live stream, over this tab's own connection or that of the tab that leads. The tab listens to the others
 * before everything is read, so that no event is lost in between.
 */
export function openLive(options: LiveOptions): Live {
  /** Ends with the lead of this tab. */
  let lost: AbortSignal | undefined
  const leads = () => lost?.aborted === false
  /** Of the latest lead that this tab knows of. */
  let term = 0
  let heardCount = 0
  /** Whether another tab may be listening. */
  let followed = true
  let hellos = 0
  let leading: ReturnType<typeof lead> | undefined
  const closing = new AbortController()
  const follower = createFollower(options, closing.signal)

  const channel = openChannel<Told | Question>(LIVE, (told) => {
    if (told.kind === 'connection') {
      // From a tab that does not know yet that it has lost the lead, or did not when it said so.
      if ((told.term ?? 0) < term) return
      term = told.term ?? 0
    }
    if (told.kind !== 'hello') return hear(told)
    hellos += 1
    followed = true
    if (leads()) {
      channel.post({ kind: 'connection', connection: connection.peek(), term })
      channel.post({ kind: 'alive', after: follower.position() })
    }
  })
  /** Asks the tab that leads for a sign of life. Until then nothing may have been told to this one. */
  function greet() {
    follower.miss()
    channel.post({ kind: 'hello' })
  }
  // A leading tab that does not answer is frozen.
  const silence = watchSilence(() => {
    const before = heardCount
    greet()
    setTimeout(
      () => {
        if (before === heardCount && !closing.signal.aborted) leading?.steal()
      },
      ANSWERED_WITHIN_MS * (1 + Math.random()),
    )
  })

  function hear(told: Told) {
    heardCount += 1
    silence.heard()
    follower.hear(told)
  }

  async function holdStream(ending: AbortSignal) {
    lost = ending
    // The tab that has taken the lead may not know of this one.
    ending.addEventListener('abort', () => {
      if (!closing.signal.aborted) greet()
    })
    // A tab that opens later says hello.
    void isWaitedFor(LIVE).then((waited) => {
      if (!waited && hellos === 0) followed = false
    })
    const own = Math.max(Date.now(), term + 1)
    term = own
    const tell = (told: Told) => {
      hear(told)
      if (!followed || ending.aborted) return
      channel.post(told.kind === 'connection' ? { ...told, term: own } : told)
    }
    const stream = { position: follower.position, tell, onSignedOut: options.onSignedOut }
    await Promise.all([keepConnected(stream, ending), options.work(ending)])
  }

  greet()
  void follower.readAgain().then(() => {
    if (closing.signal.aborted) return
    leading = lead(LIVE, holdStream)
    // For a tab that took the lead before this one waited for it.
    greet()
  })

  return {
    readAgain: () => void follower.readAgain(),
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
