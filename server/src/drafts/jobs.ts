import { forgetDraftsJob } from '@parley/contract'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import type { EventReader } from '../platform/events/relay.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import type { JobHandlers } from '../platform/jobs/run.js'
import { removeDraft } from './delete.js'
import { lockOrphans } from './queries.js'

const BATCH = 100

/** Deletes the drafts of a deleted person. */
export function forgetDrafts(ctx: Context): EventReader {
  return async (tx, events) => {
    if (events.some(({ type }) => type === 'company_members.deleted'))
      await enqueue(tx, ctx, forgetDraftsJob, {})
  }
}

async function forget(ctx: Context) {
  let count = BATCH
  while (count === BATCH) {
    count = await transaction(ctx, async (tx) => {
      const ids = await lockOrphans(tx, BATCH)
      for (const id of ids) await removeDraft(tx, ctx, id)
      return ids.length
    })
  }
}

export function draftJobs(ctx: Context) {
  return { 'drafts.forget': { run: () => forget(ctx) } } satisfies Partial<JobHandlers>
}
