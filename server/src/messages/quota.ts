import { sql } from 'kysely'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { type AutocommitPool, type Tx, writeRows } from '../platform/db/index.js'
import { Problem } from '../platform/problem.js'

/** Messages a sender may create in one chat and its threads within 24 hours. */
export const DAILY_MESSAGES = 5000
export const WINDOW_MS = 24 * 3_600_000
const FIRST_PAUSE_S = 3600
const LONGEST_PAUSE_S = 24 * 3600

export interface Sender {
  user_id: number
  /** The chat that is counted: of a thread, the one it hangs in. */
  chat_id: number
}

/**
 * Counts one message more and gives its number, or null where the sender pauses or the last 24 hours are full.
 * The row is held until the commit, so two processes never count the same number.
 */
export async function takeQuota(tx: Tx, ctx: Context, { user_id, chat_id }: Sender): Promise<number | null> {
  const at = now(ctx.clock)
  const cutoff = new Date(at.getTime() - WINDOW_MS)
  await sql`savepoint quota`.execute(tx)
  const { rows } = await sql<{ sent: number }>`
    insert into message_quotas as q (user_id, chat_id, sent) values (${user_id}, ${chat_id}, 1)
    on conflict (user_id, chat_id) do update set sent = q.sent + 1, pause_s = null, paused_until = null
      where (q.paused_until is null or q.paused_until <= ${at})
        and (q.sent < ${DAILY_MESSAGES} or not exists (
          select from messages m where m.user_id = q.user_id and m.root_chat_id = q.chat_id
            and m.quota_number = q.sent + 1 - ${DAILY_MESSAGES}::int and m.created_at > ${cutoff}))
    returning sent`.execute(tx)
  const sent = rows[0]?.sent
  // A refused sender's row would stay locked, and the pause is written by a transaction of its own.
  if (sent === undefined) await sql`rollback to savepoint quota`.execute(tx)
  else await sql`release savepoint quota`.execute(tx)
  return sent ?? null
}

/** Thrown inside a message's transaction when it has no room; what follows is not part of that transaction. */
export class OverQuota extends Error {
  constructor(readonly sender: Sender) {
    super('over the daily quota')
  }
}

/**
 * Starts a pause, or doubles the one that runs; gives the refusal with the exact time to wait. It commits by itself,
 * because the refused request does not.
 */
export async function refuseOverQuota(
  ctx: Context,
  pool: AutocommitPool,
  { user_id, chat_id }: Sender,
): Promise<Problem> {
  const at = now(ctx.clock)
  const rows = await writeRows<{ paused_until: Date; room_from: Date | null }>(
    pool,
    `with pause as (
       update message_quotas set
         pause_s = case when paused_until > $3 then least(pause_s * 2, $4::int) else $5::int end,
         paused_until = $3::timestamptz + make_interval(secs =>
           case when paused_until > $3 then least(pause_s * 2, $4::int) else $5::int end)
       where user_id = $1 and chat_id = $2
       returning sent, paused_until)
     select paused_until, (
       select m.created_at + interval '24 hours' from messages m
       where m.user_id = $1 and m.root_chat_id = $2 and m.quota_number = sent + 1 - $6::int) as room_from
     from pause`,
    [user_id, chat_id, at, LONGEST_PAUSE_S, FIRST_PAUSE_S, DAILY_MESSAGES],
  )
  const ends = [rows[0]?.paused_until, rows[0]?.room_from].map((date) => date?.getTime() ?? 0)
  const wait_s = Math.max(1, Math.ceil((Math.max(...ends) - at.getTime()) / 1000))
  return new Problem(429, 'rate_limit', {}, { 'Retry-After': String(wait_s) })
}
