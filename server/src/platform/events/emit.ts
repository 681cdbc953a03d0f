import type { EventKind, PayloadOf } from '@parley/contract'
import type { Actor } from '../actor.js'
import type { Clock } from '../clock.js'
import { now } from '../clock.js'
import type { Tx } from '../db/index.js'
import { ringAfterCommit } from '../db/transaction.js'
import { insertEvent } from './queries.js'

/** Writes what this transaction did as an event; nobody hears of it unless the transaction commits. */
export async function emit<E extends EventKind>(
  tx: Tx,
  ctx: { clock: Clock },
  actor: Pick<Actor, 'user_id'>,
  { type, audience }: E,
  payload: PayloadOf<E> & { chat_id?: number | null },
) {
  const inChat = audience !== 'person' && audience !== 'workspace'
  await insertEvent(tx, {
    type,
    chat_id: inChat ? (payload.chat_id ?? null) : null,
    actor_id: actor.user_id,
    payload: JSON.stringify(payload),
    created_at: now(ctx.clock),
  })
  ringAfterCommit(tx, 'events')
}
