import { sql } from 'kysely'
import { onlySql } from '../platform/db/only-sql.js'

/** What changes in a lane that deliveries join; `excluded.first_id` is the lowest of their ids. */
export const JOINED = sql`
  version = delivery_lanes.version + 1, came_id = least(delivery_lanes.came_id, excluded.first_id)`

/**
 * The lane whose key another table names. Where hardly any lane waited when the database last looked, plain equality would let it
 * walk all of them in the order of their keys, and go on so while thousands wait.
 */
export const isLaneOf = (table: string) => `${onlySql('lane.bot_id', `${table}.bot_id`)}
  and lane.endpoint_id = ${table}.endpoint_id and lane.replay_id = ${table}.replay_id and lane.chat_id = ${table}.chat_id`
