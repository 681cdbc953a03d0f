import { type Insertable, type Selectable, sql } from 'kysely'
import type { DB, Db, Tx } from '../../platform/db/index.js'
import { read } from '../../platform/db/index.js'
import { keyset, type Paging } from '../../platform/http/page.js'
import { JOINED } from '../lane-sql.js'
import type { NewDelivery } from '../queries.js'

/** A replay with how many of its deliveries are where. */
export interface ReplayRow extends Selectable<DB['replays']> {
  done: number
  failed: number
  pending: number
}

const counted = sql`
  select r.*,
    case when r.endpoint_id is null then r.taken else coalesce(sent.done, 0) end as done,
    coalesce(sent.failed, 0) as failed, coalesce(sent.pending, 0) as pending
  from replays r
  left join lateral (
    select count(*) filter (where state = 'delivered')::int as done,
      count(*) filter (where state in ('failed', 'cancelled'))::int as failed,
      count(*) filter (where state = 'pending')::int as pending
    from deliveries d where d.replay_id = r.id and r.id <> 0
  ) as sent on true`

export function listReplayRows(db: Db, botId: number, paging: Paging) {
  const { where, orderBy, limit } = keyset(paging, { id: sql`r.id` })
  return read(
    db,
    sql<ReplayRow>`${counted} where r.bot_id = ${botId} and ${where} order by ${orderBy} limit ${limit}`,
  )
}

export async function findReplayRow(db: Db, botId: number, id: number): Promise<ReplayRow | undefined> {
  const rows = await read(db, sql<ReplayRow>`${counted} where r.bot_id = ${botId} and r.id = ${id}`)
  return rows[0]
}

/** Locks the replay until the transaction ends. */
export async function lockReplay(tx: Tx, id: number): Promise<ReplayRow | undefined> {
  await sql`select from replays where id = ${id} for update`.execute(tx)
  const { rows } = await sql<ReplayRow>`${counted} where r.id = ${id}`.execute(tx)
  return rows[0]
}

export function findRunning(db: Db, botId: number) {
  return db
    .selectFrom('replays')
    .select('id')
    .where('bot_id', '=', botId)
    .where('state', '=', 'running')
    .executeTakeFirst()
}

export async function insertReplay(tx: Tx, row: Insertable<DB['replays']>): Promise<number> {
  const { id } = await tx.insertInto('replays').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

export interface Progress {
  position: number
  taken: number
  ended: boolean
  next_at: Date
}

export async function updateProgress(tx: Tx, id: number, { taken, ...progress }: Progress) {
  await tx
    .updateTable('replays')
    .set((eb) => ({ ...progress, taken: eb('taken', '+', taken) }))
    .where('id', '=', id)
    .execute()
}

export async function updateEnded(tx: Tx, id: number, state: 'finished' | 'cancelled', finished_at: Date) {
  await tx
    .updateTable('replays')
    .set({ state, finished_at })
    .where('id', '=', id)
    .where('state', '=', 'running')
    .execute()
}

/** Drops what a replay has not sent yet; what a worker holds is sent to its end. */
export async function cancelDeliveriesOf(tx: Tx, replay: { id: number; bot_id: number }) {
  await sql`
    update deliveries set state = 'cancelled', next_attempt_at = null
    where replay_id = ${replay.id} and state = 'pending'`.execute(tx)
  await sql`
    delete from delivery_lanes
    where bot_id = ${replay.bot_id} and replay_id = ${replay.id} and worker_id is null`.execute(tx)
}

export type ReplayDelivery = NewDelivery & { original_at: Date }

/** Writes deliveries of a replay in their order, in lanes of their own that are due at once. */
export async function insertReplayDeliveries(tx: Tx, replayId: number, made: readonly ReplayDelivery[]) {
  await sql`
    with made as (
      insert into deliveries (bot_id, endpoint_id, replay_id, chat_id, event_id, event_type, message_id, position, payload,
        state, created_at, original_at)
      select bot_id, endpoint_id, ${replayId}, chat_id, event_id, event_type, message_id, position, payload,
        'pending', created_at, original_at
      from unnest(
        ${made.map((one) => one.bot_id)}::bigint[], ${made.map((one) => one.endpoint_id)}::bigint[],
        ${made.map((one) => one.chat_id)}::bigint[], ${made.map((one) => one.event_id)}::text[],
        ${made.map((one) => one.event_type)}::text[], ${made.map((one) => one.message_id)}::bigint[],
        ${made.map((one) => one.position)}::bigint[], ${made.map((one) => one.payload)}::text[],
        ${made.map((one) => one.created_at)}::timestamptz[], ${made.map((one) => one.original_at)}::timestamptz[]
      ) with ordinality as given (bot_id, endpoint_id, chat_id, event_id, event_type, message_id, position, payload,
        created_at, original_at, place)
      order by place
      returning id, bot_id, endpoint_id, replay_id, chat_id, created_at
    )
    insert into delivery_lanes (bot_id, endpoint_id, replay_id, chat_id, due_at, first_id)
    select bot_id, endpoint_id, replay_id, chat_id, min(created_at), min(id) from made
    group by 1, 2, 3, 4 order by 1, 2, 3, 4
    on conflict (bot_id, endpoint_id, replay_id, chat_id) do update set ${JOINED}`.execute(tx)
}
