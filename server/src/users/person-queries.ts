import type { UserStatus } from '@parley/contract'
import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'

export interface PersonRow {
  id: number
  first_name: string | null
  last_name: string | null
  nickname: string
  image_key: string | null
  bot: boolean
  suspended: boolean
  /** A text where the row comes as JSON. */
  deleted_at: Date | string | null
  role: string
  title: string | null
  status: UserStatus | null
  time_zone: string | null
}

export const PERSON_COLUMNS =
  'id, first_name, last_name, nickname, image_key, bot, suspended, deleted_at, role, title, status, time_zone'

/** These people, deleted or not. */
export function listPersonRows(db: Db, ids: readonly number[]): Promise<PersonRow[]> {
  return read(
    db,
    sql<PersonRow>`
    select ${sql.raw(PERSON_COLUMNS)} from users where id = any(${ids}::bigint[]) order by id`,
  )
}
