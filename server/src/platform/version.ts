import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'

const PACKAGE = new URL('../../package.json', import.meta.url)
const CLIENT = new URL('../../../web/dist/index.html', import.meta.url)

/** The version of this release, which all packages share. */
export const RELEASE: string = (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }).version

/** How the server names itself to others. */
export const USER_AGENT = `Parley/${RELEASE}`

/** The release with the client that it serves: an open client that was served another one is old. */
export function readVersion(): string {
  if (!existsSync(CLIENT)) return RELEASE
  return `${RELEASE}+${createHash('sha256').update(readFileSync(CLIENT)).digest('hex').slice(0, 12)}`
}
