import type pg from 'pg'

/** Events of a round that has not committed are still seen as waiting on another connection. */
export async function insertStuckSuspects(client: pg.Client, lowest: number, highest: number) {
  await client.query(
    `insert into relay_suspects (event_id) select id from waiting_events
     where id between $1 and $2
     on conflict (event_id) do update set last_error = 'the process was stuck'`,
    [lowest, highest],
  )
}
