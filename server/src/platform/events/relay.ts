import { sql } from 'kysely'
import type { Tx } from '../db/index.js'
import { type Transactional, transaction } from '../db/transaction.js'
import { loop, type Worker } from '../worker.js'

export interface RelayedEvent {
  id: number
  position: number
  type: string
  chat_id: number | null
  actor_id: number
  payload: Record<string, unknown>
  created_at: Date
}

/**
 * The event with everything it says. That of a plain message, of which there are more than of all others, leaves out
 * what its row has already and what is usual.
 */
export function whole(event: RelayedEvent): RelayedEvent {
  const { type, chat_id, actor_id, payload } = event
  const plain = type === 'message.created' || type === 'message.deleted'
  if (!plain || 'user_id' in payload) return event
  const at = event.created_at.toISOString()
  const usual = {
    chat_id,
    root_chat_id: chat_id,
    thread_id: null,
    entity_type: 'discussion',
    entity_id: chat_id,
    user_id: actor_id,
    created_at: at,
    changed_at: at,
    parent_message_id: null,
    thread: null,
    personal: false,
    link_preview: false,
  }
  return { ...event, payload: { ...usual, ...payload } }
}

/** Told of each batch of events inside the transaction that gives them their positions. */
export type EventReader = (tx: Tx, events: RelayedEvent[]) => Promise<void>

const LOCK = 7_310_542
const BATCH = 500
/** What comes while the relay rests goes together: a round costs the same for one event and for twenty. */
const REST_MS = 5

async function takeWaiting(tx: Tx): Promise<RelayedEvent[]> {
  const { rows } = await sql<RelayedEvent>`
    with waiting as materialized (
      select id from events where position is null order by id limit ${BATCH}
    ), placed as materialized (
      select id, nextval('events_position_seq') as position from waiting order by id
    )
    update events e set position = placed.position from placed where e.id = placed.id
    returning e.id, e.position, e.type, e.chat_id, e.actor_id, e.payload, e.created_at`.execute(tx)
  return rows.sort((a, b) => a.position - b.position).map(whole)
}

async function relayOnce(ctx: Transactional, readers: readonly EventReader[]): Promise<number> {
  return transaction(ctx, async (tx) => {
    // One process at a time relays, so that positions follow commits and events of a chat keep their order.
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${LOCK}) as mine`.execute(
      tx,
    )
    if (!rows[0]?.mine) return 0
    const events = await takeWaiting(tx)
    if (events.length > 0) for (const read of readers) await read(tx, events)
    return events.length
  })
}

/**
 * The relay gives every committed event the next position and hands it to the readers, in one transaction:
 * a crash before the commit leaves the event waiting, after it nothing is left to do.
 */
export function startRelay(
  ctx: Transactional,
  readers: readonly EventReader[],
  onError: (error: unknown) => void,
): Worker {
  return loop({
    name: 'relay',
    every_ms: 1000,
    wake: (listener) => ctx.bell.on('events', listener),
    onError,
    async step() {
      const count = await relayOnce(ctx, readers)
      if (count > 0) ctx.bell.ring('relayed')
      return count
    },
    rest: () => REST_MS,
  })
}
