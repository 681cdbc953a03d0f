import { type Approval, approvalDecided } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { type ApprovalRow, lockApproval, updateApproval } from '../platform/http/approval-queries.js'
import { found, Problem } from '../platform/problem.js'

export function presentApproval(row: ApprovalRow): Approval {
  const { id, token_id, token_name, holder_id: user_id, operation } = row
  return {
    id,
    token_id,
    token_name,
    user_id,
    operation,
    request: row.request as Approval['request'],
    state: row.state as Approval['state'],
    created_at: row.created_at.toISOString(),
    decided_at: row.decided_at?.toISOString() ?? null,
  }
}

export function decideApproval(ctx: Context, actor: Actor, id: number, approved: boolean): Promise<Approval> {
  return transaction(ctx, async (tx) => {
    const row = found(await lockApproval(tx, actor.user_id, id), { key: 'id', value: id })
    if (row.state !== 'pending') {
      const message = 'this request was decided already'
      throw new Problem(409, 'already_exists', { key: 'id', value: id, message })
    }
    const decided = { state: approved ? 'approved' : 'refused', decided_at: now(ctx.clock) }
    await updateApproval(tx, id, decided)
    await emit(tx, ctx, actor, approvalDecided, { user_id: actor.user_id, approval_id: id, approved })
    return presentApproval({ ...row, ...decided })
  })
}
