import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'

/** The SHA-256 of an archive, which tells later what was imported; null of a folder. */
export async function digestOf(path: string): Promise<Buffer | null> {
  if (!(await stat(path)).isFile()) return null
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest()
}
