import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { previewKeyOf } from './preview.js'
import { claimKey, deleteLooseObject, deleteUploads, listDueObjects, upsertLooseObjects } from './queries.js'
import { isDisk, isS3, UNUSED_MS } from './storage-routes.js'
import { mayBePicture } from './variants.js'

const BATCH = 200

/** Leaves objects to be erased at a time, unless a message or a draft uses them then: form uploads, old avatars. */
export function eraseLater(tx: Tx, keys: readonly string[], due_at: Date) {
  return upsertLooseObjects(tx, keys, due_at)
}

/** Erases objects that no file uses. Claimed first: what is claimed can no longer be attached. */
export async function eraseUnused(ctx: Context, keys: readonly string[]) {
  for (const key of keys) {
    if (!(await transaction(ctx, (tx) => claimKey(tx, key)))) continue
    await ctx.storage.remove(key)
    if (mayBePicture({ name: key, size: 0 })) await ctx.storage.remove(previewKeyOf(key))
    await deleteLooseObject(ctx.autocommit, key)
  }
}

/** Everything below a prefix that a form was given out for. */
async function eraseBelow(ctx: Context, prefix: string) {
  const { storage } = ctx
  if (isS3(storage)) await eraseUnused(ctx, await storage.list(prefix))
  await deleteLooseObject(ctx.autocommit, prefix)
}

/** Erases what is due: uploads that were never used, and what an interrupted job left. */
export async function sweepObjects(ctx: Context) {
  for (;;) {
    const due = await listDueObjects(ctx.db, now(ctx.clock), BATCH)
    for (const key of due) await (key.endsWith('/') ? eraseBelow(ctx, key) : eraseUnused(ctx, [key]))
    if (due.length < BATCH) break
  }
  await deleteUploads(ctx.autocommit, new Date(ctx.clock.now() - UNUSED_MS))
  if (isDisk(ctx.storage)) await ctx.storage.removeStaleParts()
}
