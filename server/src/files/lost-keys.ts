import { LRUCache } from 'lru-cache'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { isUndecryptable } from '../platform/storage/seal.js'
import { DAY_MS } from '../platform/time.js'
import { type FileFor, findMessagePlace } from './queries.js'

const KEPT = 10_000

export interface LostKeys {
  /** Writes that a file could not be decrypted to the audit log, once a day for each file. */
  note(ctx: Context, actor: Actor, file: FileFor, error: unknown): Promise<void>
}

/** A lost key is tried with every download: the log needs it once. */
export function createLostKeys({ resets, clock }: Context): LostKeys {
  const noted = new LRUCache<number, true>({
    max: KEPT,
    ttl: DAY_MS,
    perf: { now: () => clock.now() },
    ttlResolution: 0,
  })
  resets.add(() => noted.clear())
  return {
    async note(ctx, actor, { id, message_id }, error) {
      if (!isUndecryptable(error)) return
      if (message_id === null || noted.has(id)) return
      noted.set(id, true)
      const place = await findMessagePlace(ctx.db, message_id)
      if (!place) return
      const details = { ...place, message_id, reason: 'decryption_failed' }
      await transaction(ctx, (tx) =>
        record(tx, ctx, actor, {
          event_key: 'kms_decrypt',
          entity_type: 'Message',
          entity_id: message_id,
          details,
        }),
      )
    },
  }
}
