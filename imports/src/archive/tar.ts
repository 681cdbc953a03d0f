import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import tar from 'tar-stream'
import { type Archive, ArchiveError, LIMITS } from './archive.js'
import { atMost, tooLarge } from './at-most.js'
import { faultOfName, isJunk } from './names.js'
import { openUnpacked } from './unpacked.js'

async function unpack(
  path: string,
  gzipped: boolean,
  folder: string,
  limits: typeof LIMITS,
): Promise<string[]> {
  const refused: string[] = []
  const extract = tar.extract()
  const seen = new Set<string>()
  const taking = (async () => {
    for await (const entry of extract) {
      const { name: raw, type } = entry.header
      const name = raw.replace(/^\.\//, '').normalize('NFC')
      if (type !== 'directory' && !isJunk(name)) {
        const fault =
          type === 'file' || type === 'contiguous-file'
            ? (faultOfName(name) ?? (seen.has(name) ? 'is there twice' : undefined))
            : 'is a link or a device'
        if (fault) refused.push(`${name.slice(0, 200)} ${fault}`)
        else {
          seen.add(name)
          if (seen.size > limits.entries)
            throw new ArchiveError(`the archive has over ${limits.entries} entries`)
          const target = join(folder, name)
          await mkdir(dirname(target), { recursive: true, mode: 0o700 })
          await pipeline(entry, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
          continue
        }
      }
      entry.resume()
    }
  })()
  const plain = gzipped ? createGunzip() : new PassThrough()
  const reading = pipeline(
    createReadStream(path),
    plain,
    atMost(limits.bytes, tooLarge(limits.bytes)),
    extract,
  )
  await Promise.all([reading, taking])
  return refused
}

/** A tar has no list of its entries. */
export function openTarArchive(path: string, gzipped: boolean, limits = LIMITS): Promise<Archive> {
  return openUnpacked((folder) => unpack(path, gzipped, folder, limits), limits)
}
