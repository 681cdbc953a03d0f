import type { DB } from './schema.js'

/** A row for `jsonb_populate_recordset`: columns by name, times as text, JSON as values. */
export type JsonRow<T extends keyof DB> = { [C in keyof DB[T]]?: unknown }
