import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

/** In bytes, compressed as the server sends them. */
const FIRST_SCRIPTS_AT_MOST = 90_000
const FIRST_STYLES_AT_MOST = 15_000
const CHUNK_AT_MOST = 60_000

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const sizeOf = (name: string) => gzipSync(readFileSync(join(dist, name)), { level: 9 }).length

/** What a browser loads before the first chat: the files that the page names, and all that these import at once. */
function firstFiles(): Set<string> {
  const html = readFileSync(join(dist, 'index.html'), 'utf8')
  const found = new Set(
    [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name]) => name as string),
  )
  for (const name of found) {
    if (!name.endsWith('.js')) continue
    for (const [, imported] of readFileSync(join(dist, name), 'utf8').matchAll(
      /(?:from|import)\s*["']\.\/([^"']+\.js)["']/g,
    ))
      found.add(`assets/${imported}`)
  }
  return found
}

test('what the browser loads stays within its budget', () => {
  const first = [...firstFiles()]
  const total = (end: string) =>
    first.filter((name) => name.endsWith(end)).reduce((sum, name) => sum + sizeOf(name), 0)
  assert.ok(total('.js') > 10_000 && total('.js') <= FIRST_SCRIPTS_AT_MOST, `scripts: ${total('.js')} bytes`)
  assert.ok(total('.css') <= FIRST_STYLES_AT_MOST, `styles: ${total('.css')} bytes`)
  // Those of the first chat are judged together.
  for (const name of readdirSync(join(dist, 'assets')))
    if (name.endsWith('.js') && !first.includes(`assets/${name}`))
      assert.ok(sizeOf(`assets/${name}`) <= CHUNK_AT_MOST, `${name}: ${sizeOf(`assets/${name}`)} bytes`)
})
