import { draftDeleted, draftSaved } from '@parley/contract'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { emit } from '../platform/events/emit.js'
import { entityOf } from './present.js'
import type { DraftRow } from './queries.js'

/** Which draft it is and where. Its text is not in the event: it is read when a frame is sent. */
function payloadOf(row: DraftRow) {
  return {
    user_id: row.user_id,
    draft_id: row.id,
    ...entityOf(row),
    scheduled: row.interval !== null,
  }
}

export function emitDraftSaved(tx: Tx, ctx: Context, row: DraftRow) {
  return emit(tx, ctx, { user_id: row.user_id }, draftSaved, payloadOf(row))
}

export function emitDraftDeleted(tx: Tx, ctx: Context, row: DraftRow) {
  return emit(tx, ctx, { user_id: row.user_id }, draftDeleted, payloadOf(row))
}
