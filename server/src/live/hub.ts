import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { readVersion } from '../platform/version.js'
import { loop } from '../platform/worker.js'
import { audienceOf } from './audience.js'
import { frameOf, noteOf } from './frame.js'
import { findPositions, listEventsAfter } from './queries.js'
import { opens } from './scopes.js'
import { showEvents } from './show.js'

const BATCH = 500
const LOOK_EVERY_MS = 1000
const CHECK_EVERY_MS = 5000
const STREAMS_OF_ONE = 20

/** A connection that hears. `send` says whether the other side keeps up. */
export interface Listener {
  actor: Actor
  /** Throws when the token is no longer valid. */
  check(): Promise<Actor>
  send(text: string): boolean
  /** Resolves once what was sent has left, or the connection is gone. */
  drained(): Promise<void>
  end(): void
}

interface Stream extends Listener {
  position: number
  /** True once it has caught up and is fed by the hub. */
  live: boolean
  closed: boolean
}

/** Called for every connection that opens or closes. */
export interface Watcher {
  joined(actor: Actor): void
  left(actor: Actor): void
}

export interface Hub {
  /** Begins after a position, or now; gives what ends it. */
  open(listener: Listener, after: number | null): () => void
  /** Sends to all who have caught up and may hear it. */
  broadcast(text: string, hears: (actor: Actor) => boolean): void
  viewers(): Actor[]
  close(): void
}

/**
 * One reader of the events for all connections of a process. A new connection first catches up by itself from where
 * it left off, then is fed with the others; one that falls behind is ended, and comes back with its position.
 */
export function createHub(ctx: Context, watcher: Watcher): Hub {
  const version = readVersion()
  const streams = new Set<Stream>()
  let position = 0
  let checking: NodeJS.Timeout | undefined
  let awake: Promise<void> | undefined

  function drop(stream: Stream) {
    if (stream.closed) return
    stream.closed = true
    streams.delete(stream)
    ctx.metrics.live_streams.set(streams.size)
    stream.end()
    watcher.left(stream.actor)
    if (streams.size === 0) rest()
  }

  /** Checks which tokens are still valid, before any event is sent. */
  async function standing(): Promise<Stream[]> {
    const asked = [...streams].map(async (stream) => {
      try {
        stream.actor = await stream.check()
      } catch {
        drop(stream)
      }
      return stream
    })
    return (await Promise.all(asked)).filter(({ closed }) => !closed)
  }

  async function deliver(): Promise<number> {
    if (streams.size === 0) return 0
    const events = await listEventsAfter(ctx.db, position, BATCH)
    if (events.length === 0) return startOver()
    const hearing = (await standing()).map(({ actor }) => actor)
    const hears = await audienceOf(ctx.db, events, hearing)
    const show = await showEvents(ctx, events, hearing, hears)
    position = events.at(-1)?.position as number
    for (const stream of streams) {
      if (!stream.live) continue
      for (const event of events) {
        if (stream.closed || event.position <= stream.position) continue
        if (!hears(event, stream.actor) || !opens(stream.actor, event)) continue
        const frame = frameOf(event, stream.actor.user_id, show(event, stream.actor))
        if (!stream.send(frame)) drop(stream)
      }
      stream.position = position
    }
    return events.length
  }

  /** Positions restart when a sandbox is reset; listeners must read everything again. */
  async function startOver(): Promise<number> {
    const { newest } = await findPositions(ctx.db)
    if (newest >= position) return 0
    position = newest
    for (const stream of streams) {
      stream.position = newest
      stream.send(noteOf('reset', newest, version))
    }
    return 0
  }

  const reader = loop({
    name: 'live',
    every_ms: LOOK_EVERY_MS,
    step: deliver,
    wake: (listener) => ctx.bell.on('relayed', listener),
    onError: (error) => ctx.log.warn({ err: error }, 'reading live events failed; retrying'),
  })

  async function wakeUp() {
    position = (await findPositions(ctx.db)).newest
    if (streams.size === 0) return rest()
    checking = setInterval(() => {
      void standing().then((all) => {
        for (const stream of all) if (!stream.send(': \n\n')) drop(stream)
      })
    }, CHECK_EVERY_MS)
    reader.start()
  }

  function rest() {
    clearInterval(checking)
    awake = undefined
    void reader.stop(0)
  }

  /** Sends what was missed, page by page and no faster than it is taken; joins the others in the same turn. */
  async function catchUp(stream: Stream) {
    while (!stream.closed && stream.position < position) {
      const events = await listEventsAfter(ctx.db, stream.position, BATCH)
      stream.actor = await stream.check()
      const hears = await audienceOf(ctx.db, events, [stream.actor])
      const show = await showEvents(ctx, events, [stream.actor], hears)
      for (const event of events) {
        if (stream.closed) return
        if (!hears(event, stream.actor) || !opens(stream.actor, event)) continue
        stream.send(frameOf(event, stream.actor.user_id, show(event, stream.actor)))
      }
      stream.position = events.at(-1)?.position ?? position
      await stream.drained()
    }
    stream.live = true
  }

  async function begin(stream: Stream, after: number | null) {
    awake ??= wakeUp()
    await awake
    const { oldest, newest } = await findPositions(ctx.db)
    const missed = after !== null && (after > newest || after < (oldest ?? newest + 1) - 1)
    stream.position = after === null || missed ? Math.min(position, newest) : after
    stream.send(noteOf(missed ? 'reset' : 'ready', stream.position, version))
    await catchUp(stream)
  }

  function makeRoom(userId: number) {
    const own = [...streams].filter(({ actor }) => actor.user_id === userId)
    for (const stream of own.slice(0, Math.max(0, own.length + 1 - STREAMS_OF_ONE))) drop(stream)
  }

  return {
    open(listener, after) {
      makeRoom(listener.actor.user_id)
      const stream: Stream = { ...listener, position: 0, live: false, closed: false }
      streams.add(stream)
      ctx.metrics.live_streams.set(streams.size)
      watcher.joined(listener.actor)
      void begin(stream, after).catch(() => drop(stream))
      return () => drop(stream)
    },
    broadcast(text, hears) {
      for (const stream of streams) if (stream.live && hears(stream.actor) && !stream.send(text)) drop(stream)
    },
    viewers: () => [...streams].map(({ actor }) => actor),
    close() {
      for (const stream of [...streams]) drop(stream)
    },
  }
}
