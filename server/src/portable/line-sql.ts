import { type RawBuilder, sql } from 'kysely'

/** A time as it stands in the file. */
export function time(column: string): RawBuilder<string> {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
}

/** Times under their own names. */
export function times(table: string, ...columns: string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql`${time(`${table}.${column}`)} as ${sql.ref(column)}`))
}

/** Whether a chat is not one of those that are left out. */
export function shownChat(column: string): RawBuilder<boolean> {
  return sql`not exists (select from portable_hidden h where h.chat_id = ${sql.ref(column)})`
}

/** Whether a message `m` is in the file. */
export function shownMessage(since: string | null): RawBuilder<boolean> {
  const late = since === null ? sql`true` : sql`m.created_at >= ${since}::timestamptz`
  return sql`(${late} and ${shownChat('m.chat_id')})`
}
