// Holds SQL in server/src against two rules: a table is written by one area, and what only reads has no SQL that writes.
// `--tables` prints the tables with the area that writes them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = 'server/src'
/** Areas that write a table of another area, and why. */
const ALSO = {
  search_words: { messages: 'adds the words of imported messages together with them' },
  drafts: { messages: 'deletes the draft that a message was written in, with the sending' },
}
/** A hot path may repeat the writes of others in one statement; it says so in its first line. */
const isHot = (text) => /^(\/\*\*\s+\*|\/\/) A hot path/.test(text)
const isProduct = (name) => /\.ts$/.test(name) && !/\.test\.ts$|(^|\/)testing(-[\w-]+\.ts$|\/)/.test(name)
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')

const BUILDER = /\b(?:insertInto|updateTable|deleteFrom|mergeInto|copyRows\(\s*\w+,)\(?\s*'(\w+)/g
const TEXT = /\b(?:insert into|delete from) (\w+)|\bupdate (\w+)(?: (?:as )?\w+)?\s+set\b/g
const READING = /\b(?:read|rows)(?:<[^(`]*>)?\(\s*[\w.]+,\s*(?:sql(?:<[^`]*>)?)?`([^`]*)`/g

const schema = readFileSync(join(SOURCES, 'platform/db/schema.ts'), 'utf8')
const tables = [...schema.matchAll(/^ {2}(\w+): \{$/gm)].map(([, table]) => table)
const writers = new Map(tables.map((table) => [table, new Set()]))
const faults = []

for (const file of readdirSync(SOURCES, { recursive: true }).filter(isProduct)) {
  const text = readFileSync(join(SOURCES, file), 'utf8')
  if (isHot(text)) continue
  const code = withoutComments(text)
  for (const [, ...named] of [...code.matchAll(BUILDER), ...code.matchAll(TEXT)])
    writers.get(named.find(Boolean))?.add(file.split('/')[0])
  for (const [, statement] of code.matchAll(READING))
    if (new RegExp(TEXT).test(statement)) faults.push(`${file} writes in a statement that should only read`)
}
for (const [table, areas] of writers) {
  const owners = [...areas].filter((area) => !ALSO[table]?.[area])
  if (owners.length > 1) faults.push(`${table} is written by ${owners.join(' and ')}`)
  if (process.argv.includes('--tables'))
    console.log(
      `${table}: ${[...areas].join(', ') || 'nobody by name (triggers, or a table chosen at run time)'}`,
    )
}
for (const [table, areas] of Object.entries(ALSO))
  for (const area of Object.keys(areas))
    if (!writers.get(table)?.has(area))
      faults.push(`${area} does not write ${table} any more: drop the exception`)

if (faults.length > 0) {
  console.error(faults.sort().join('\n'))
  process.exit(1)
}
