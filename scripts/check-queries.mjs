// Holds server/src to one rule: SQL stands in queries files (`queries.ts`, `member-queries.ts`), as functions with names.
// `--count` prints the files outside of them that hold SQL, with the number of places.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = 'server/src'
/** Files that hold SQL under another name, and why. */
const ALSO = {
  'platform/db/baseline.ts': 'tables and functions of the database are its subject',
  'platform/db/migrate.ts': 'runs migrations',
  'platform/db/print-schema.ts': 'reads the schema to print it',
  'platform/http/page.ts': 'builds the keyset condition of every list',
}
/** Files whose SQL has not been moved yet. This list only gets shorter. */
const NOT_YET = [
  'chats/cards.ts',
  'chats/read-sql.ts',
  'drafts/send.ts',
  'messages/chat-facts.ts',
  'messages/delete.ts',
  'messages/edit.ts',
  'messages/join-thread.ts',
  'messages/list-page.ts',
  'messages/mentions.ts',
  'messages/message-sql.ts',
  'messages/pin.ts',
  'messages/post-batch.ts',
  'messages/quota.ts',
  'messages/read-state.ts',
  'messages/sent-draft.ts',
  'messages/system.ts',
  'messages/target.ts',
  'webhooks/event-queue.ts',
  'webhooks/inbound/post.ts',
  'webhooks/inbound/receive.ts',
  'webhooks/jobs.ts',
  'webhooks/kept-texts.ts',
  'webhooks/lease.ts',
  'webhooks/log.ts',
  'webhooks/notify-editors.ts',
  'webhooks/redeliver.ts',
  'webhooks/send-now.ts',
  'webhooks/settle.ts',
]

const isQueries = (name) => /(^|[/-])queries\.ts$/.test(name)
const isProduct = (name) => /\.ts$/.test(name) && !/\.test\.ts$|(^|\/)testing(-[\w-]+\.ts$|\/)/.test(name)
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
const SQL =
  /\bsql(?:<[^`]*?>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto)\(|[`'"]\s*(?:with \w+ (?:as )?\(|select |insert into |update \w+ set|delete from )/g

const found = new Map()
for (const file of readdirSync(SOURCES, { recursive: true }).filter(isProduct)) {
  const places = withoutComments(readFileSync(join(SOURCES, file), 'utf8')).match(SQL)?.length ?? 0
  if (places > 0 && !isQueries(file)) found.set(file, places)
}
const allowed = new Set([...Object.keys(ALSO), ...NOT_YET])
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
