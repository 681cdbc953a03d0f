import { sql } from 'kysely'
import { type AutocommitPool, type Tx, writeRows } from '../platform/db/index.js'

export interface Sender {
  user_id: number
  /** The chat that is counted: of a thread, the one it hangs in. */
  chat_id: number
}

/** Counts one message more and gives its number; null where the sender pauses or the window is full, and then nothing is locked. */
export async function countMessage(
  tx: Tx,
  { user_id, chat_id }: Sender,
  { at, cutoff, limit }: { at: Date; cutoff: Date; limit: number },
): Promise<number | null> {
  const { rows } = await sql<{ sent: number | null }>`
    select take_message_quota(${user_id}, ${chat_id}, ${limit}, ${at}, ${cutoff}) as sent`.execute(tx)
  return rows[0]?.sent ?? null
}

/** Starts a pause, or doubles the one that runs; gives when it ends and when the window has room again. */
export async function pauseSender(
  pool: AutocommitPool,
  { user_id, chat_id }: Sender,
  { at, first_s, longest_s, limit }: { at: Date; first_s: number; longest_s: number; limit: number },
): Promise<{ paused_until: Date; room_from: Date | null } | undefined> {
  const [pause] = await writeRows<{ paused_until: Date; room_from: Date | null }>(
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
    [user_id, chat_id, at, longest_s, first_s, limit],
  )
  return pause
}
