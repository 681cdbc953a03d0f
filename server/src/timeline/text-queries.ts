import { CompiledQuery } from 'kysely'
import { messageRowSql } from '../messages/message-sql.js'
import { type Db, read } from '../platform/db/index.js'
import { STAMP_SQL } from './shown-sql.js'

export interface TextRow {
  id: number
  stamp: string
  text: string
}

const TEXTS = `
select m.id, m.stamp, ${messageRowSql('$1::text')} || ',"system_event":' || coalesce(m.system_event::text, 'null')
  || ',"edited":' || case when m.changed_at <> m.created_at and m.deleted_at is null then 'true' else 'false' end as text
from unnest((select $2::bigint[])) as asked (id)
  cross join lateral (select *, ${STAMP_SQL} as stamp from messages where id = asked.id offset 0) m
  cross join lateral (select bot from users where id = m.user_id offset 0) u`

/** The fields of these messages that are in their rows, as JSON without braces; ids that name nothing are left out. */
export function listTexts(db: Db, app_url: string, ids: readonly number[]): Promise<TextRow[]> {
  return read(db, CompiledQuery.raw(TEXTS, [app_url, ids]))
}
