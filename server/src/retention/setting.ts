import type { RetentionDays, RetentionPreview, RetentionUpdateRequest } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Db } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { DAY_MS } from '../platform/time.js'
import { countOld, insertChange, KINDS, listChanges, lockSetting } from './queries.js'

const FOR_EVER: RetentionDays = { conversation: null, channel: null, personal: null, thread: null }

/** What holds now: for ever, until the owner says otherwise. */
export async function findDays(db: Db): Promise<RetentionDays> {
  const [last] = await listChanges(db, 1)
  return { ...FOR_EVER, ...last?.days }
}

/** Sets how long messages are kept, and keeps who did; nothing changed leaves no trace. */
export function setRetention(
  ctx: Context,
  actor: Actor,
  change: RetentionUpdateRequest['days'],
): Promise<void> {
  return transaction(ctx, async (tx) => {
    await lockSetting(tx)
    const before = await findDays(tx)
    const days = { ...before }
    for (const kind of KINDS) if (change[kind] !== undefined) days[kind] = change[kind]
    if (KINDS.every((kind) => days[kind] === before[kind])) return
    await insertChange(tx, { user_id: actor.user_id, days, created_at: now(ctx.clock) })
  })
}

/** What a setting would remove if it held now. */
export async function previewRetention(ctx: Context, days: RetentionDays): Promise<RetentionPreview> {
  const messages = { conversation: 0, channel: 0, personal: 0, thread: 0 }
  for (const kind of KINDS) {
    const kept = days[kind]
    if (kept !== null)
      messages[kind] = await countOld(ctx.db, kind, new Date(ctx.clock.now() - kept * DAY_MS))
  }
  return { messages }
}
