import { type Pool, rows } from '../db/index.js'

export interface Figures {
  lag_s: number | null
  due: number
  waiting: number
  failed: number
  deliveries: number
}

/** What waits for the relay, for the workers and for bots. */
export async function readFigures(pool: Pool, at: Date): Promise<Figures | undefined> {
  const [figures] = await rows<Figures>(
    pool,
    `select extract(epoch from $1::timestamptz - (select min(created_at) from waiting_events))::float8 as lag_s,
       (select count(*) from jobs where failed_at is null and run_at <= $1) as due,
       (select count(*) from jobs where failed_at is null and run_at > $1) as waiting,
       (select count(*) from jobs where failed_at is not null) as failed,
       (select count(*) from waiting_deliveries) as deliveries`,
    [at],
  )
  return figures
}
