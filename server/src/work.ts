import { accountJobs } from './accounts/jobs.js'
import { auditJobs } from './audit/jobs.js'
import { startSealing } from './audit/seal.js'
import { draftJobs, forgetDrafts } from './drafts/jobs.js'
import { startSending } from './drafts/send.js'
import { exportJobs } from './exports/jobs.js'
import { fileJobs } from './files/jobs.js'
import { formJobs } from './forms/jobs.js'
import { importJobs, type runHere } from './imports/jobs.js'
import { memberJobs } from './members/jobs.js'
import { expandEvent } from './messages/expand-event.js'
import { messageJobs } from './messages/jobs.js'
import { notificationJobs } from './notifications/jobs.js'
import { tellPeople } from './notifications/tell.js'
import { oauthJobs } from './oauth/jobs.js'
import type { Context } from './platform/context.js'
import { type EventReader, startRelay } from './platform/events/relay.js'
import { enqueueRecurring, type JobHandlers, startJobs } from './platform/jobs/run.js'
import { sweep } from './platform/sweep.js'
import { HOUR_MS } from './platform/time.js'
import type { Worker } from './platform/worker.js'
import { followMessages } from './previews/follow.js'
import { previewJobs } from './previews/jobs.js'
import { refusalJobs } from './refusals/jobs.js'
import { retentionJobs } from './retention/jobs.js'
import { runImportApart } from './run-import-apart.js'
import { startIndexFlush } from './search/flush-index.js'
import { searchJobs } from './search/jobs.js'
import { taskJobs } from './tasks/jobs.js'
import { threadJobs } from './threads/jobs.js'
import { userJobs } from './users/jobs.js'
import { keepNotices } from './users/notices.js'
import { startDeliveries } from './webhooks/deliver.js'
import { fanOut } from './webhooks/fan-out.js'
import { webhookJobs } from './webhooks/jobs.js'

/** What each area does with events, in the transaction that places them. */
function readEvents(ctx: Context): EventReader {
  const readers = [fanOut(ctx), followMessages(ctx), forgetDrafts(ctx), keepNotices(ctx), tellPeople(ctx)]
  return async (tx, stored) => {
    const events = stored.map(expandEvent)
    for (const read of readers) await read(tx, events)
  }
}

/** What each area does later. */
function jobHandlers(ctx: Context, runImport: typeof runHere): JobHandlers {
  return {
    ...oauthJobs(ctx),
    ...userJobs(ctx),
    ...accountJobs(ctx),
    ...notificationJobs(ctx),
    ...memberJobs(ctx),
    ...threadJobs(ctx),
    ...fileJobs(ctx),
    ...messageJobs(ctx),
    ...previewJobs(ctx),
    ...draftJobs(ctx),
    ...taskJobs(ctx),
    ...webhookJobs(ctx),
    ...formJobs(ctx),
    ...exportJobs(ctx),
    ...importJobs(ctx, runImport),
    ...refusalJobs(ctx),
    ...retentionJobs(ctx),
    ...auditJobs(ctx),
    ...searchJobs(ctx),
    'platform.sweep': { every_ms: HOUR_MS, run: () => sweep(ctx) },
  }
}

/** A transcription may take minutes: a crowd of them would keep every other job waiting. */
const TRANSCRIBED_AT_ONCE = 2

function startJobLoops(ctx: Context, handlers: JobHandlers): Worker[] {
  if (!ctx.transcriber) return [startJobs(ctx, handlers)]
  const { 'messages.transcribe': transcribe, ...others } = handlers
  return [startJobs(ctx, others), startJobs(ctx, { 'messages.transcribe': transcribe }, TRANSCRIBED_AT_ONCE)]
}

/** Everything that works in the background, one line each. Imports have a thread of their own, unless `runImport` says otherwise. */
export async function buildWorkers(
  ctx: Context,
  runImport: typeof runHere = runImportApart,
): Promise<Worker[]> {
  const handlers = jobHandlers(ctx, runImport)
  await enqueueRecurring(ctx, handlers)
  const onError = (error: unknown) => ctx.log.warn({ err: error }, 'relay round failed')
  return [
    startRelay(ctx, [readEvents(ctx)], onError),
    ...startJobLoops(ctx, handlers),
    startDeliveries(ctx),
    startSending(ctx),
    startSealing(ctx),
    startIndexFlush(ctx),
  ]
}

/** Does everything that is due, and what becomes due by it, until all are idle. */
export async function drainAll(workers: readonly Worker[]) {
  let busy = true
  while (busy) {
    busy = false
    for (const worker of workers) if ((await worker.drain()) > 0) busy = true
  }
}
