import type { Actor } from '../actor.js'
import type { Clock } from '../clock.js'
import { present } from '../clock.js'
import type { Tx } from '../db/index.js'
import { ringAfterCommit } from '../db/transaction.js'

export interface NewEvent {
  /** Past tense, area first: `message.created`. */
  type: string
  chat_id?: number | null
  payload: object
}

/** Tells the world what this transaction did; nobody hears of it unless the transaction commits. */
export async function emit(tx: Tx, ctx: { clock: Clock }, actor: Pick<Actor, 'user_id'>, event: NewEvent) {
  await tx
    .insertInto('events')
    .values({
      type: event.type,
      chat_id: event.chat_id ?? null,
      actor_id: actor.user_id,
      payload: JSON.stringify(event.payload),
      created_at: present(ctx.clock),
    })
    .execute()
  ringAfterCommit(tx, 'events')
}
