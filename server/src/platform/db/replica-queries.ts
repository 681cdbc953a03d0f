import { type Pool, rows } from './index.js'

/** Up to where the primary has written, in bytes of its log: all that is committed by now lies before it. */
export async function findWritten(pool: Pool): Promise<number> {
  const [row] = await rows<{ position: number }>(
    pool,
    `select (pg_current_wal_insert_lsn() - '0/0')::float8 as position`,
  )
  return row?.position ?? 0
}

/** Up to where a replica has followed; null where it follows nothing any more, as after a promotion. */
export async function findFollowed(pool: Pool): Promise<number | null> {
  const [row] = await rows<{ position: number | null }>(
    pool,
    `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::float8 end as position`,
  )
  return row?.position ?? null
}
