import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Admitted } from '../platform/http/admit.js'
import { type Chunk, chunkOf } from './chunk.js'

const STREAMS_OF_ONE = 20
/** Parts of a round of checks, so that those of thousands of streams hold up nothing for long. */
export const CHECK_PARTS = 20
/** Says nothing; it finds out whether the other side is still there. */
const KEEP_ALIVE = chunkOf(': \n\n')

/** Rights that hold until this time, and while the epoch of admission is this one. */
export type Checked = Pick<Admitted, 'actor' | 'epoch' | 'until_ms'>

/** A connection that hears. `send` says whether the other side keeps up. */
export interface Listener {
  actor: Actor
  /** Throws when the token is no longer valid. */
  check(): Promise<Checked>
  send(chunk: Chunk): boolean
  /** Resolves once what was sent has left, or the connection is gone. */
  drained(): Promise<void>
  end(): void
}

export interface Stream extends Listener {
  position: number
  /** True once it has caught up and is fed by the hub. */
  live: boolean
  closed: boolean
  /** What the last check said; null before the first. */
  checked: Checked | null
}

/** Asks whether the token of a stream is still valid, and what its holder is now. */
export async function recheck(stream: Stream): Promise<Actor> {
  stream.checked = await stream.check()
  stream.actor = stream.checked.actor
  return stream.actor
}

/** Called for every connection that opens or closes. */
export interface Watcher {
  joined(actor: Actor): void
  left(actor: Actor): void
}

/** The connections of this process. */
export function createStreams(ctx: Context, watcher: Watcher, onEmpty: () => void) {
  const open = new Set<Stream>()
  const ofPeople = new Map<number, Set<Stream>>()
  /** Those that opened since `standing` was asked. */
  const late = new Set<Stream>()

  function drop(stream: Stream) {
    if (stream.closed) return
    stream.closed = true
    open.delete(stream)
    late.delete(stream)
    const own = ofPeople.get(stream.actor.user_id)
    own?.delete(stream)
    if (own?.size === 0) ofPeople.delete(stream.actor.user_id)
    ctx.metrics.live_streams.set(open.size)
    stream.end()
    watcher.left(stream.actor)
    if (open.size === 0) onEmpty()
  }

  function makeRoom(userId: number) {
    const own = [...(ofPeople.get(userId) ?? [])]
    for (const stream of own.slice(0, Math.max(0, own.length + 1 - STREAMS_OF_ONE))) drop(stream)
  }

  /** Drops the streams whose tokens are no longer valid. */
  async function check(streams: readonly Stream[]) {
    await Promise.all(streams.map((stream) => recheck(stream).catch(() => drop(stream))))
  }

  /** The streams whose tokens are still valid, before any event is sent. While no rights change, one look at the epoch says so of all. */
  async function standing(): Promise<Stream[]> {
    const asked = [...open]
    late.clear()
    const epoch = await ctx.admission.epoch()
    const now = ctx.clock.now()
    const doubtful = asked.filter(({ checked }) => checked?.epoch !== epoch || checked.until_ms <= now)
    if (doubtful.length === 0) return asked
    await check(doubtful)
    return asked.filter(({ closed }) => !closed)
  }

  let round: Stream[] = []
  let part = 0

  /** The next of the parts into which all streams are divided for a round. */
  function nextPart(): Stream[] {
    if (part === 0) round = [...open]
    const [from, to] = [part, part + 1].map((n) => Math.floor((n * round.length) / CHECK_PARTS))
    part = (part + 1) % CHECK_PARTS
    return round.slice(from, to).filter(({ closed }) => !closed)
  }

  return {
    open: open as ReadonlySet<Stream>,
    late: late as ReadonlySet<Stream>,
    drop,
    standing,
    add(listener: Listener): Stream {
      makeRoom(listener.actor.user_id)
      const stream: Stream = { ...listener, position: 0, live: false, closed: false, checked: null }
      open.add(stream)
      late.add(stream)
      const own = ofPeople.get(listener.actor.user_id) ?? new Set()
      ofPeople.set(listener.actor.user_id, own.add(stream))
      ctx.metrics.live_streams.set(open.size)
      watcher.joined(listener.actor)
      return stream
    },
    /** Ends connections whose tokens are no longer valid, and dead ones, among the next part of a round. */
    async keepAlive() {
      const streams = nextPart()
      await check(streams)
      for (const stream of streams) if (!stream.closed && !stream.send(KEEP_ALIVE)) drop(stream)
    },
  }
}

export type Streams = ReturnType<typeof createStreams>
