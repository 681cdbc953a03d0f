import type { Actor } from '../platform/actor.js'
import type { Tx } from '../platform/db/index.js'
import { holdPeople } from './performer-queries.js'
import { listPerformersFor } from './queries.js'

/** Nobody whom the task is about to have is deleted meanwhile. */
export function holdPerformers(tx: Tx, actor: Actor, named: readonly number[]) {
  return holdPeople(tx, [actor.user_id, ...named])
}

/** Who of those named can be given the task; where nobody is left, the caller does it. */
export async function performersFrom(tx: Tx, actor: Actor, named: readonly number[]) {
  const wanted = [...new Set(named)]
  const ids = wanted.length > 0 ? await listPerformersFor(tx, actor, wanted) : []
  return { ids: ids.length > 0 ? ids : [actor.user_id], dropped: ids.length < wanted.length }
}
