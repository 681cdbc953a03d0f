// Holds server/src to one rule: SQL is in queries files (`queries.ts`, `member-queries.ts`), as functions with names.
// `--count` prints the files outside of them that hold SQL, with the number of places.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = 'server/src'
/** Files that hold SQL under another name, and why. */
const ALSO = {
  'chats/cards.ts': 'a hot path: the statement makes the JSON that the code beside it finishes',
  'platform/db/baseline.ts': 'tables and functions of the database are its subject',
  'platform/db/migrate.ts': 'runs migrations',
  'platform/db/print-schema.ts': 'reads the schema to print it',
  'platform/http/page.ts': 'builds the keyset condition of every list',
}

/** `…-sql.ts` files hold pieces that several queries files are built of, and run nothing. */
const isQueries = (name) => /(^|[/-])(queries|sql)\.ts$/.test(name)
const isProduct = (name) => /\.ts$/.test(name) && !/\.test\.ts$|(^|\/)testing(-[\w-]+\.ts$|\/)/.test(name)
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
const BUILDER =
  /\bsql(?:<[^`]*?>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|\bcopyRows\(/g
const TEXT = /[`'"]\s*(?:with \w+ |select |insert into |delete from |update \w+ (?:\w+ )?set\b|merge into )/g

const found = new Map()
for (const file of readdirSync(SOURCES, { recursive: true }).filter(isProduct)) {
  const code = withoutComments(readFileSync(join(SOURCES, file), 'utf8'))
  const places = [...code.matchAll(BUILDER), ...code.matchAll(TEXT)].length
  if (places > 0 && !isQueries(file)) found.set(file, places)
}
const allowed = new Set(Object.keys(ALSO))
const faults = [
  ...[...found.keys()]
    .filter((file) => !allowed.has(file))
    .map((file) => `${file} holds SQL: move it into a queries file of its area, as a function with a name`),
  ...[...allowed]
    .filter((file) => !found.has(file))
    .map((file) => `${file} holds no SQL: drop it from the list in scripts/check-queries.mjs`),
]
if (process.argv.includes('--count'))
  for (const [file, places] of [...found].sort()) console.log(`${places}\t${file}`)
if (faults.length > 0) {
  console.error(faults.sort().join('\n'))
  process.exit(1)
}
