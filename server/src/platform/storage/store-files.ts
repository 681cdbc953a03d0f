import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { removeStaleParts, type StoredFiles, writePart } from './object-files.js'
import type { S3Storage } from './s3.js'
import type { ByteRange } from './storage.js'

/** Objects of a store that this server writes and reads itself, because they pass through its hands on the way. */
export function createStoreFiles(store: S3Storage, folder: string): StoredFiles {
  const parts = join(folder, 'parts')
  return {
    find: (name) => store.stat(name),
    async open(name) {
      const stat = await store.stat(name)
      if (!stat) return undefined
      return {
        size: stat.size,
        // An object of a name is written once; another key of the operator does not change what is in it.
        version: stat.size.toString(16),
        async head(bytes) {
          if (stat.size === 0) return Buffer.alloc(0)
          return buffer(await store.read(name, { start: 0, end: Math.min(bytes, stat.size) - 1 }))
        },
        stream: (range) => streamOf(store, name, range),
        async close() {},
      }
    },
    async receive(name, data) {
      const part = await writePart(parts, data)
      const drop = () => rm(part.path, { force: true })
      return {
        size: part.size,
        async keep(contentType) {
          await store.write(name, createReadStream(part.path), contentType)
          await drop()
        },
        drop,
      }
    },
    keys: () => store.keys(),
    remove: (name) => store.remove(name),
    removeStaleParts: () => removeStaleParts(parts),
  }
}

/** The store is asked when the stream is first read. */
function streamOf(store: S3Storage, name: string, range?: ByteRange): Readable {
  return Readable.from(
    (async function* () {
      yield* await store.read(name, range)
    })(),
    { objectMode: false },
  )
}
