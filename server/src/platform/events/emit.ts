import type { EventKind, PayloadOf } from '@parley/contract'
import type { Actor } from '../actor.js'
import type { Clock } from '../clock.js'
import { now } from '../clock.js'
import type { Tx } from '../db/index.js'
import { ringAfterCommit } from '../db/transaction.js'
import { insertEvent, insertEvents } from './queries.js'

/** The chat whose people hear of an event, where it is not for one person or for everybody. */
function chatOf({ audience }: EventKind, payload: { chat_id?: number | null }): number | null {
  return audience === 'person' || audience === 'workspace' ? null : (payload.chat_id ?? null)
}

type Payload<E extends EventKind> = PayloadOf<E> & { chat_id?: number | null }

/** Writes what this transaction did as an event; nobody hears of it unless the transaction commits. */
export async function emit<E extends EventKind>(
  tx: Tx,
  ctx: { clock: Clock },
  actor: Pick<Actor, 'user_id'>,
  kind: E,
  payload: Payload<E>,
) {
  await insertEvent(tx, {
    type: kind.type,
    chat_id: chatOf(kind, payload),
    actor_id: actor.user_id,
    payload: JSON.stringify(payload),
    created_at: now(ctx.clock),
  })
  ringAfterCommit(tx, 'events')
}

/** Several events of one kind, in one statement however many they are. */
export async function emitEach<E extends EventKind>(
  tx: Tx,
  ctx: { clock: Clock },
  actor: Pick<Actor, 'user_id'>,
  kind: E,
  payloads: readonly Payload<E>[],
) {
  if (payloads.length === 0) return
  const all = { type: kind.type, actor_id: actor.user_id, created_at: now(ctx.clock) }
  const each = payloads.map((payload) => ({
    chat_id: chatOf(kind, payload),
    payload: JSON.stringify(payload),
  }))
  await insertEvents(tx, all, each)
  ringAfterCommit(tx, 'events')
}
