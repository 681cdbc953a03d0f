import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'
import { CHECKSUM } from './backup-format.js'
import { describe } from './write-archive.js'

export interface ArchiveEntry {
  name: string
  size: number
  mtime: Date
  body: AsyncIterable<Buffer>
}

/** Reads an archive entry by entry and ends without a fault only when all of it is as it was written. */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  const checksum = createHash('sha256')
  let complete = false
  const tar = extract()
  const reading = pipeline(createReadStream(file), createGunzip(), tar)
  // The loop meets the same fault.
  reading.catch(() => {})
  try {
    for await (const entry of tar) {
      const { name, size, mtime, type } = entry.header
      if (complete) throw new Error('something follows its end')
      if (name === CHECKSUM) {
        complete = true
        if ((await readText(entry as AsyncIterable<Buffer>)) !== checksum.digest('hex'))
          throw new Error('its checksum does not match')
        continue
      }
      if (type !== 'file') throw new Error(`it holds a ${type} named ${name}`)
      checksum.update(describe(name, size))
      yield { name, size, mtime, body: hashed(entry as AsyncIterable<Buffer>, checksum) }
      entry.resume()
    }
    await reading
    if (!complete) throw new Error('it was cut short')
  } finally {
    tar.destroy()
    await reading.catch(() => {})
  }
}

/** Reads a small entry whole. */
export async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

async function* hashed(body: AsyncIterable<Buffer>, checksum: Hash): AsyncGenerator<Buffer> {
  for await (const chunk of body) {
    checksum.update(chunk)
    yield chunk
  }
}
