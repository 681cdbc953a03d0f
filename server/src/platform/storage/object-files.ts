import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { systemClock } from '../clock.js'
import { DAY_MS } from '../time.js'
import type { ByteRange, ObjectStat } from './storage.js'

/** A written file that is not yet an object: it becomes one, or it goes. */
export interface Part {
  size: number
  keep(contentType?: string): Promise<void>
  drop(): Promise<void>
}

/** An object that is being read. */
export interface OpenObject {
  size: number
  /** Changes with the content. */
  version: string
  /** All of it, or a part; closes the object at its end. */
  stream(range?: ByteRange): Readable
  close(): Promise<void>
}

export interface StoredObject extends OpenObject {
  /** Its first bytes, or fewer where it has fewer. */
  head(bytes: number): Promise<Buffer>
}

export interface ObjectFiles {
  find(key: string): Promise<ObjectStat | undefined>
  open(key: string): Promise<OpenObject | undefined>
  /** Streams to disk and makes it durable; leaves nothing behind when the stream breaks. */
  receive(key: string, data: AsyncIterable<Buffer>): Promise<Part>
  remove(key: string): Promise<void>
  /** Removes the parts that a crash left behind more than a day ago. */
  removeStaleParts(): Promise<void>
}

/** Objects as the disk or the store has them. */
export interface StoredFiles extends ObjectFiles {
  open(key: string): Promise<StoredObject | undefined>
  keys(): AsyncIterable<string>
}

/**
 * Keeps objects under the hash of their key, so that no key can name a path. Next to each is a file with its key,
 * for people and for repair.
 */
export function createObjectFiles(folder: string): StoredFiles {
  const parts = join(folder, 'parts')

  const pathOf = (key: string) => {
    const hash = createHash('sha256').update(key).digest('hex')
    return join(folder, 'objects', hash.slice(0, 2), hash.slice(2, 4), hash)
  }

  async function receive(key: string, data: AsyncIterable<Buffer>): Promise<Part> {
    const part = await writePart(parts, data)
    return {
      size: part.size,
      async keep(contentType) {
        const path = pathOf(key)
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await writeNote(parts, `${path}.json`, { key, content_type: contentType })
        await rename(part.path, path)
        await syncFolder(dirname(path))
      },
      drop: () => rm(part.path, { force: true }),
    }
  }

  return {
    async find(key) {
      const found = await orUndefined(stat(pathOf(key)))
      return found && { size: found.size, version: versionOf(found) }
    },
    async open(key) {
      const file = await orUndefined(open(pathOf(key), 'r'))
      return file && openObject(file)
    },
    receive,
    keys: () => keysIn(join(folder, 'objects')),
    async remove(key) {
      await rm(pathOf(key), { force: true })
      await rm(`${pathOf(key)}.json`, { force: true })
    },
    removeStaleParts: () => removeStaleParts(parts),
  }
}

function versionOf({ size, mtimeMs, ino }: { size: number; mtimeMs: number; ino: number }): string {
  return [size, Math.floor(mtimeMs), ino].map((part) => part.toString(16)).join('-')
}

async function openObject(file: FileHandle): Promise<StoredObject> {
  const stats = await file.stat()
  return {
    size: stats.size,
    version: versionOf(stats),
    async head(bytes) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0)
      return buffer.subarray(0, bytesRead)
    },
    stream: (range = { start: 0 }) => file.createReadStream(range),
    close: () => file.close(),
  }
}

/** From the notes beside the objects. */
async function* keysIn(folder: string): AsyncGenerator<string> {
  for (const first of (await orUndefined(readdir(folder))) ?? [])
    for (const second of await readdir(join(folder, first)))
      for (const name of await readdir(join(folder, first, second)))
        if (name.endsWith('.json'))
          yield JSON.parse(await readFile(join(folder, first, second, name), 'utf8')).key as string
}

/** Removes the parts that a crash left behind more than a day ago. */
export async function removeStaleParts(folder: string) {
  // File times come from the machine's clock, not from `ctx.clock`.
  const now_ms = systemClock.now()
  for (const name of (await orUndefined(readdir(folder))) ?? []) {
    const path = join(folder, name)
    const stats = await orUndefined(stat(path))
    if (stats && now_ms - stats.mtimeMs > DAY_MS) await rm(path, { force: true })
  }
}

export async function writePart(folder: string, data: Iterable<Buffer> | AsyncIterable<Buffer>) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const handle = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of data) await handle.writeFile(chunk)
    await handle.sync()
    return { path, size: (await handle.stat()).size }
  } catch (error) {
    await unlink(path)
    throw error
  } finally {
    await handle.close()
  }
}

async function writeNote(folder: string, path: string, note: object) {
  const part = await writePart(folder, [Buffer.from(JSON.stringify(note))])
  await rename(part.path, path)
}

async function syncFolder(path: string) {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function orUndefined<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
