import { sql } from 'kysely'
import type { FileRow } from '../files/queries.js'
import { entitySql, messageJsonSql } from '../messages/message-sql.js'
import type { Actor } from '../platform/actor.js'
import { type Autocommit, type Db, read } from '../platform/db/index.js'
import { LIVE } from './match-sql.js'

export interface FoundMessages {
  ids: number[]
  /** The messages as JSON text, for `withFiles`. */
  json: string
  files: FileRow[] | null
}

/** The messages of `page (id, place)` by their places, as the actor sees them. */
export function messagesOfPage(actor: Actor, app_url: string) {
  return sql<FoundMessages>`
    select coalesce(json_agg(m.id order by p.place), '[]') as ids,
      coalesce(string_agg(${sql.raw(messageJsonSql('viewer.app_url'))}, ',' order by p.place), '') as json,
      (select json_agg(f order by f.message_id, f.position)
        from page p join messages m on m.id = p.id join files f on f.message_id = m.id where m.has_files) as files
    from page p join messages m on m.id = p.id and ${LIVE} join chats c on c.id = m.chat_id join users u on u.id = m.user_id
      left join threads t on t.message_id = m.id
      cross join (select ${actor.user_id}::bigint as id, ${app_url}::text as app_url) viewer
      cross join ${sql.raw(entitySql('viewer.id'))}`
}

/** These messages in this order, as the actor sees them. */
export async function readMessages(
  db: Db,
  actor: Actor,
  ids: readonly number[],
  app_url: string,
): Promise<FoundMessages> {
  if (ids.length === 0) return { ids: [], json: '', files: null }
  const rows = await read(
    db,
    sql<FoundMessages>`
    with page as materialized (select id, place from unnest(${ids}::bigint[]) with ordinality as p (id, place))
    ${messagesOfPage(actor, app_url)}`,
  )
  return rows[0] as FoundMessages
}

/** So many of the newest messages may be deleted, or the system's, before none is found. */
const NEWEST = 100

/** The beginning of the newest text that somebody wrote, and who. */
export async function findNewestText(db: Db): Promise<{ user_id: number; text: string } | undefined> {
  const rows = await read(
    db,
    sql<{ user_id: number; text: string }>`
    select user_id, left(content, 200) as text from (select * from messages order by id desc limit ${NEWEST}) m
    where ${LIVE} order by id desc limit 1`,
  )
  return rows[0]
}

/** Flushes the GIN pending list of the search index; returns the pages cleaned, 0 while the index is being rebuilt. */
export async function flushPendingList(db: Autocommit): Promise<number> {
  const { rows } = await sql<{ pages: number }>`
    select gin_clean_pending_list(to_regclass('messages_search')) as pages`.execute(db)
  return rows[0]?.pages ?? 0
}
