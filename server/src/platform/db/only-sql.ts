import { type RawBuilder, sql } from 'kysely'

/** A column of an index, and the value that it has: whose rows are read, of a chat, a person, a bot. */
export type Owner = readonly [column: string, value: RawBuilder<unknown>]

/**
 * Equality for rows that are then ordered by this column first, and cut off: from the index that begins with it alone.
 *
 * `chat_id = 1 order by id limit 50` finds the same, and `order by chat_id, id` is the same to the planner, as one chat needs no
 * order. So it may walk the ids of all chats until it has met fifty of this one; it prefers that where the chat has a good part of
 * all messages, and then reads everything that was written elsewhere since the chat fell silent. It does not see that an array of
 * one value is equality, and expects the same number of rows.
 */
export function onlySql(column: string, value: string, type: 'bigint' | 'text' = 'bigint'): string {
  return `${column} = any (array[${value}::${type}])`
}

/** The same for the query builder. */
export function only([column, value]: Owner): RawBuilder<boolean> {
  return sql<boolean>`${sql.ref(column)} = any (array[${value}])`
}
