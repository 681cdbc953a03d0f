import { sql } from 'kysely'

/** What changes in a lane that deliveries join; `excluded.first_id` is the lowest of their ids. */
export const JOINED = sql`
  version = delivery_lanes.version + 1, came_id = least(delivery_lanes.came_id, excluded.first_id)`
