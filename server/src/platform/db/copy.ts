import { CompiledQuery } from 'kysely'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { Autocommit, Tx } from './index.js'

/** Rows in the text format of COPY. As the only value of a statement it is sent after it (`NamingClient`). */
export class CopyText {
  constructor(readonly text: string) {}
}

export type CopyValue = string | number | boolean | object | null | undefined

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
const MUST_ESCAPE = /[\\\t\n\r]/
const ESCAPED = /[\\\t\n\r]/g

function field(value: CopyValue): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return MUST_ESCAPE.test(text) ? text.replace(ESCAPED, (sign) => ESCAPES[sign] as string) : text
}

/**
 * Writes many rows by COPY: the database neither parses JSON nor arrays for it, and indexes are fed by the page. Objects go
 * into columns of JSON. Columns that are not named take their defaults.
 */
export async function copyRows<const C extends readonly string[]>(
  db: Autocommit | Tx,
  table: string,
  columns: C,
  rows: readonly { readonly [name in C[number]]?: CopyValue }[],
) {
  if (rows.length === 0) return
  let text = ''
  for (const row of rows) {
    let line = ''
    for (const name of columns) line += `${line && '\t'}${field(row[name as C[number]])}`
    text += `${line}\n`
  }
  const statement = `copy ${table} (${columns.join(', ')}) from stdin`
  await db.executeQuery(CompiledQuery.raw(statement, [new CopyText(text)]))
}

/** Sends a COPY and its rows over a connection; answers like a statement. */
export function sendCopy(client: Pick<pg.Client, 'query'>, statement: string, { text }: CopyText) {
  return new Promise<Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>>((resolve, reject) => {
    const stream = client.query(copyFrom(statement))
    stream.once('error', reject)
    stream.once('finish', () => resolve({ command: 'COPY', rowCount: stream.rowCount, rows: [] }))
    stream.end(text)
  })
}
