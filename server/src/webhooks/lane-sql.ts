import { sql } from 'kysely'

/** What changes in a lane that deliveries join; `excluded.first_id` is the lowest of their ids. */
export const JOINED = sql`
  version = delivery_lanes.version + 1, came_id = least(delivery_lanes.came_id, excluded.first_id)`

const columnsOf = (table: string) =>
  `(${table}.bot_id, ${table}.endpoint_id, ${table}.replay_id, ${table}.chat_id)`

/**
 * The lane whose key another table names. Where hardly any lane waited when the database last looked, equality would let it walk
 * all of them, and go on so while thousands wait; a range of one key leaves it nothing but to look the key up.
 */
export const isLaneOf = (table: string) =>
  `${columnsOf('lane')} between ${columnsOf(table)} and ${columnsOf(table)}`
