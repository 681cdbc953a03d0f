import { Readable } from 'node:stream'
import type { ObjectFiles, OpenObject, StoredFiles, StoredObject } from './object-files.js'
import {
  contentSize,
  HEAD_BYTES,
  isUndecryptable,
  keyIdOf,
  openHead,
  resealHead,
  type SealingKey,
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
  /** Puts every object under the first key, whatever it was under before, and leaves those that no key opens. */
  resealAll(): AsyncIterable<{ key: string; outcome: Resealed }>
}

export type Resealed = 'as it was' | 'changed' | 'cannot be decrypted'

/**
 * Keeps objects encrypted: sealed with the first key, opened with any. Objects from before encryption was turned on are
 * read as they are. Without a key none is sealed, and those that are sealed are refused.
 */
export function sealFiles(files: StoredFiles, keys: SealingKeys): SealedFiles {
  const [first] = keys
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
      if (!first) return files.receive(name, data)
      let size = 0
      const content = counted(data, (bytes) => {
        size += bytes
      })
      const part = await files.receive(name, seal(content, first, name))
      return { ...part, size }
    },
    async *resealAll() {
      if (!first) return
      for await (const key of files.keys()) yield { key, outcome: await reseal(files, first, keys, key) }
    },
    remove: (name) => files.remove(name),
    removeStaleParts: () => files.removeStaleParts(),
  }
}

async function reseal(
  files: StoredFiles,
  to: SealingKey,
  keys: SealingKeys,
  name: string,
): Promise<Resealed> {
  const file = await files.open(name)
  if (!file) return 'as it was'
  const head = await file.head(HEAD_BYTES)
  if (keyIdOf(head)?.equals(to.id)) {
    await file.close()
    return 'as it was'
  }
  let renewed: Buffer | undefined
  try {
    renewed = keyIdOf(head) && resealHead(head, to, keys, name)
  } catch (error) {
    await file.close()
    if (isUndecryptable(error)) return 'cannot be decrypted'
    throw error
  }
  const part = await files.receive(name, renewed ? headed(file, renewed) : seal(file.stream(), to, name))
  // What was removed meanwhile stays removed.
  if (await files.find(name)) await part.keep()
  else await part.drop()
  return 'changed'
}

async function* headed(file: StoredObject, head: Buffer): AsyncGenerator<Buffer> {
  yield head
  yield* file.stream({ start: HEAD_BYTES, end: file.size - 1 })
}
