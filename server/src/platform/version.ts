import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

const PACKAGE = new URL('../../package.json', import.meta.url)
const CLIENT = new URL('../../../web/dist/index.html', import.meta.url)

/** The version of the server with the client that it serves: an open client that was served another one is old. */
export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }
  if (!existsSync(CLIENT)) return version
  return `${version}+${createHash('sha256').update(readFileSync(CLIENT)).digest('hex').slice(0, 12)}`
}
