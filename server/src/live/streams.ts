import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'

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

export interface Stream extends Listener {
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

/** The connections of this process. */
export function createStreams(ctx: Context, watcher: Watcher, onEmpty: () => void) {
  const open = new Set<Stream>()

  function drop(stream: Stream) {
    if (stream.closed) return
    stream.closed = true
    open.delete(stream)
    ctx.metrics.live_streams.set(open.size)
    stream.end()
    watcher.left(stream.actor)
    if (open.size === 0) onEmpty()
  }

  function makeRoom(userId: number) {
    const own = [...open].filter(({ actor }) => actor.user_id === userId)
    for (const stream of own.slice(0, Math.max(0, own.length + 1 - STREAMS_OF_ONE))) drop(stream)
  }

  /** Checks which tokens are still valid, before any event is sent. */
  async function standing(): Promise<Stream[]> {
    const asked = [...open].map(async (stream) => {
      try {
        stream.actor = await stream.check()
      } catch {
        drop(stream)
      }
      return stream
    })
    return (await Promise.all(asked)).filter(({ closed }) => !closed)
  }

  return {
    open: open as ReadonlySet<Stream>,
    drop,
    standing,
    add(listener: Listener): Stream {
      makeRoom(listener.actor.user_id)
      const stream: Stream = { ...listener, position: 0, live: false, closed: false }
      open.add(stream)
      ctx.metrics.live_streams.set(open.size)
      watcher.joined(listener.actor)
      return stream
    },
    /** Ends connections whose tokens are no longer valid, and dead ones. */
    async keepAlive() {
      for (const stream of await standing()) if (!stream.send(': \n\n')) drop(stream)
    },
  }
}

export type Streams = ReturnType<typeof createStreams>
