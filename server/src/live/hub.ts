import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { RelayedEvent } from '../platform/events/relay.js'
import { readVersion } from '../platform/version.js'
import { loop } from '../platform/worker.js'
import { audienceOf } from './audience.js'
import { chunkOf, createChunks } from './chunk.js'
import { createFrames, noteOf } from './frame.js'
import { findPositions, listEventsAfter } from './queries.js'
import { opens } from './scopes.js'
import { showEvents } from './show.js'
import {
  CHECK_PARTS,
  createStreams,
  type Listener,
  recheck,
  type Stream,
  type Streams,
  type Watcher,
} from './streams.js'

const BATCH = 500
const LOOK_EVERY_MS = 1000
const CHECK_EVERY_MS = 5000

export interface Hub {
  /** Begins after a position, or now; gives what ends it. */
  open(listener: Listener, after: number | null): () => void
  /** Sends to all who have caught up and may hear it. */
  broadcast(text: string, hears: (actor: Actor) => boolean): void
  viewers(): Actor[]
  close(): void
}

/** What each of these people gets of each event; undefined where it is not for them. */
async function framesFor(ctx: Context, events: RelayedEvent[], actors: Actor[]) {
  const hears = await audienceOf(ctx.db, events, actors)
  const hearing = actors.filter((actor) => events.some((event) => hears(event, actor)))
  const show = await showEvents(ctx, events, hearing, hears)
  const frame = createFrames()
  return (event: RelayedEvent, actor: Actor): string | undefined =>
    hears(event, actor) && opens(actor, event) ? frame(event, actor.user_id, show(event, actor)) : undefined
}

type Frame = Awaited<ReturnType<typeof framesFor>>

/** Sends events to those of them who have caught up; one that does not keep up is closed. */
function feed(
  streams: Streams,
  hearing: readonly Stream[],
  events: RelayedEvent[],
  frame: Frame,
  position: number,
) {
  const chunk = createChunks()
  for (const stream of hearing) {
    if (!stream.live) continue
    for (const event of events) {
      if (stream.closed || event.position <= stream.position) continue
      const text = frame(event, stream.actor)
      if (text !== undefined && !stream.send(chunk(text))) streams.drop(stream)
    }
    // One that has just caught up may be ahead of this batch.
    stream.position = Math.max(stream.position, position)
  }
}

/** Sends what was missed, page by page and no faster than it is taken; joins the others in the same turn. */
async function catchUp(ctx: Context, stream: Stream, newest: () => number) {
  stream.live = false
  while (!stream.closed && stream.position < newest()) {
    const goal = newest()
    const events = await listEventsAfter(ctx.db, stream.position, BATCH)
    const frame = await framesFor(ctx, events, [await recheck(stream)])
    for (const event of events) {
      if (stream.closed) return
      const text = frame(event, stream.actor)
      if (text !== undefined) stream.send(chunkOf(text))
    }
    stream.position = events.at(-1)?.position ?? goal
    await stream.drained()
  }
  stream.live = true
}

/** How far the reader of a process has come. */
interface Reading {
  position: number
}

/** Told of events before anybody hears of them; of none where some may have been missed. */
type Follower = (events: readonly RelayedEvent[]) => void

interface Feeding {
  ctx: Context
  streams: Streams
  reading: Reading
  version: string
  follow: Follower
}

async function feedNext(feeding: Feeding): Promise<number> {
  const { ctx, streams, reading, follow } = feeding
  if (streams.open.size === 0) return 0
  const events = await listEventsAfter(ctx.db, reading.position, BATCH)
  const last = events.at(-1)
  if (!last) return startOver(feeding)
  follow(events)
  const hearing = await streams.standing()
  const frame = await framesFor(
    ctx,
    events,
    hearing.map(({ actor }) => actor),
  )
  // In one turn with the sending: a stream that catches up meanwhile either gets these now or reads them itself.
  reading.position = last.position
  feed(streams, hearing, events, frame, reading.position)
  // What those who joined meanwhile may hear was not asked.
  for (const stream of streams.late)
    if (stream.live && stream.position < reading.position)
      void catchUp(ctx, stream, () => reading.position).catch(() => streams.drop(stream))
  return events.length
}

/** Positions restart when a sandbox is reset; listeners must read everything again. */
async function startOver({ ctx, streams, reading, version, follow }: Feeding): Promise<number> {
  const { newest } = await findPositions(ctx.db)
  if (newest >= reading.position) return 0
  reading.position = newest
  follow([])
  for (const stream of streams.open) {
    stream.position = newest
    stream.send(chunkOf(noteOf('reset', newest, version)))
  }
  return 0
}

/**
 * One reader of the events for all connections of a process. A new connection first catches up by itself from where
 * it left off, then is fed with the others; one that falls behind is ended, and comes back with its position.
 */
export function createHub(ctx: Context, watcher: Watcher, follow: Follower): Hub {
  const version = readVersion()
  const streams = createStreams(ctx, watcher, rest)
  const reading: Reading = { position: 0 }
  const feeding: Feeding = { ctx, streams, reading, version, follow }
  let checking: NodeJS.Timeout | undefined
  let awake: Promise<void> | undefined
  /** How often all streams have ended. */
  let rests = 0
  let closed = false

  const reader = loop({
    name: 'live',
    every_ms: LOOK_EVERY_MS,
    step: () => feedNext(feeding),
    leaves: (done) => done === BATCH,
    wake: (listener) => ctx.bell.on('relayed', listener),
    onError: (error) => ctx.log.warn({ err: error }, 'reading live events failed; retrying'),
  })

  async function wakeUp() {
    const before = rests
    const { newest } = await findPositions(ctx.db)
    // All streams ended meanwhile; where another one has opened since, it wakes the reader itself.
    if (rests !== before) return
    reading.position = newest
    follow([])
    checking = setInterval(() => void streams.keepAlive(), CHECK_EVERY_MS / CHECK_PARTS)
    reader.start()
  }

  function rest() {
    rests += 1
    clearInterval(checking)
    awake = undefined
    void reader.stop(0)
  }

  async function begin(stream: Stream, after: number | null) {
    awake ??= wakeUp()
    await awake
    const { oldest, newest } = await findPositions(ctx.db)
    const missed = after !== null && (after > newest || after < (oldest ?? newest + 1) - 1)
    stream.position = after === null || missed ? Math.min(reading.position, newest) : after
    stream.send(chunkOf(noteOf(missed ? 'reset' : 'ready', stream.position, version)))
    await catchUp(ctx, stream, () => reading.position)
  }

  return {
    open(listener, after) {
      const stream = streams.add(listener)
      // Admitted while the server stops.
      if (closed) streams.drop(stream)
      else void begin(stream, after).catch(() => streams.drop(stream))
      return () => streams.drop(stream)
    },
    broadcast(text, hears) {
      const chunk = chunkOf(text)
      for (const stream of streams.open)
        if (stream.live && hears(stream.actor) && !stream.send(chunk)) streams.drop(stream)
    },
    viewers: () => [...streams.open].map(({ actor }) => actor),
    close() {
      closed = true
      for (const stream of [...streams.open]) streams.drop(stream)
    },
  }
}
