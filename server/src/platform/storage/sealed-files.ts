import { Readable } from 'node:stream'
import type { ObjectFiles, OpenObject, StoredFiles, StoredObject } from './object-files.js'
import {
  contentSize,
  HEAD_BYTES,
  keyIdOf,
  openHead,
  resealHead,
  type SealingKeys,
  seal,
  sealedRange,
  unseal,
} from './seal.js'

async function* counted(data: AsyncIterable<Buffer>, count: (bytes: number) => void) {
  for await (const chunk of data) {
    count(chunk.length)
    yield chunk
  }
}

function opened(file: OpenObject, own: Buffer): OpenObject {
  const size = contentSize(file.size)
  return {
    size,
    version: file.version,
    stream({ start, end = size - 1 } = { start: 0 }) {
      const stored = file.stream(sealedRange(start, end, file.size))
      return Readable.from(unseal(stored, { own, start, end, size }), { objectMode: false })
    },
    close: () => file.close(),
  }
}

export interface SealedFiles extends ObjectFiles {
  /** Puts every object under the first key, whatever it was under before; says which were not. */
  resealAll(): AsyncIterable<{ key: string; changed: boolean }>
}

/**
 * Keeps objects encrypted: sealed with the first key, opened with any. Objects from before encryption was turned on are
 * read as they are.
 */
export function sealFiles(files: StoredFiles, keys: SealingKeys): SealedFiles {
  async function open(name: string) {
    const file = await files.open(name)
    if (!file) return undefined
    try {
      const head = await file.head(HEAD_BYTES)
      return keyIdOf(head) ? opened(file, openHead(head, keys, name)) : file
    } catch (error) {
      await file.close()
      throw error
    }
  }
  return {
    open,
    async find(name) {
      const file = await open(name)
      await file?.close()
      const stored = file && (await files.find(name))
      return stored && { size: file.size, version: stored.version }
    },
    async receive(name, data) {
      let size = 0
      const content = counted(data, (bytes) => {
        size += bytes
      })
      const part = await files.receive(name, seal(content, keys[0], name))
      return { ...part, size }
    },
    async *resealAll() {
      for await (const key of files.keys()) yield { key, changed: await reseal(files, keys, key) }
    },
    remove: (name) => files.remove(name),
    removeStaleParts: () => files.removeStaleParts(),
  }
}

async function reseal(files: StoredFiles, keys: SealingKeys, name: string): Promise<boolean> {
  const file = await files.open(name)
  if (!file) return false
  const head = await file.head(HEAD_BYTES)
  if (keyIdOf(head)?.equals(keys[0].id)) {
    await file.close()
    return false
  }
  const part = await files.receive(name, resealed(file, head, keys, name))
  // What was removed meanwhile stays removed.
  if (await files.find(name)) await part.keep()
  else await part.drop()
  return true
}

async function* resealed(
  file: StoredObject,
  head: Buffer,
  keys: SealingKeys,
  name: string,
): AsyncGenerator<Buffer> {
  if (!keyIdOf(head)) return yield* seal(file.stream(), keys[0], name)
  yield resealHead(head, keys, name)
  yield* file.stream({ start: HEAD_BYTES, end: file.size - 1 })
}
