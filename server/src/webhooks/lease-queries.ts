import { type AutocommitPool, writeRows } from '../platform/db/index.js'

/** Says that a worker is alive for so long from now, by the database's clock. */
export async function putAlive(pool: AutocommitPool, workerId: string, lease_ms: number) {
  await writeRows(
    pool,
    `insert into delivery_workers (id, alive_until) values ($1, clock_timestamp() + make_interval(secs => $2))
     on conflict (id) do update set alive_until = excluded.alive_until`,
    [workerId, lease_ms / 1000],
  )
}

export async function deleteWorker(pool: AutocommitPool, workerId: string) {
  await writeRows(pool, 'delete from delivery_workers where id = $1', [workerId])
}

/** Gives the lanes of dead processes back. */
export async function freeAbandoned(pool: AutocommitPool) {
  await writeRows(pool, 'delete from delivery_workers where alive_until < clock_timestamp()')
  await writeRows(
    pool,
    `update delivery_lanes lane set worker_id = null
     where worker_id is not null and not exists (select from delivery_workers worker where worker.id = lane.worker_id)`,
  )
}
