import { type RawBuilder, sql } from 'kysely'
import { plainArray } from './array.js'

// One value for the whole list: with a value for each element, every length of a list is another statement, and only so
// many of them get a name.

/** Any of these ids: `where('id', '=', anyId(ids))`. */
export function anyId(ids: readonly number[]): RawBuilder<number> {
  return sql<number>`any(${plainArray(ids)}::bigint[])`
}

/** Any of these texts: `where('key', '=', anyText(keys))`. */
export function anyText(texts: readonly string[]): RawBuilder<string> {
  return sql<string>`any(${texts}::text[])`
}
