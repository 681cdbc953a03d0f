import { createHash, randomUUID } from 'node:crypto'
import type { Stats } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { systemClock } from '../clock.js'
import { DAY_MS } from '../time.js'

/** A written file that is not yet an object: it becomes one, or it goes. */
export interface Part {
  size: number
  keep(key: string, contentType?: string): Promise<void>
  drop(): Promise<void>
}

export interface ObjectFiles {
  find(key: string): Promise<Stats | undefined>
  open(key: string): Promise<FileHandle | undefined>
  /** Streams to disk and makes it durable; leaves nothing behind when the stream breaks. */
  receive(data: AsyncIterable<Buffer>): Promise<Part>
  remove(key: string): Promise<void>
  /** Removes the parts that a crash left behind more than a day ago. */
  removeStaleParts(): Promise<void>
}

/**
 * Keeps objects under the hash of their key, so that no key can name a path. Next to each is a file with its key,
 * for people and for repair.
 */
export function createObjectFiles(folder: string): ObjectFiles {
  const parts = join(folder, 'parts')

  const pathOf = (key: string) => {
    const hash = createHash('sha256').update(key).digest('hex')
    return join(folder, 'objects', hash.slice(0, 2), hash.slice(2, 4), hash)
  }

  async function receive(data: AsyncIterable<Buffer>): Promise<Part> {
    const part = await writePart(parts, data)
    return {
      size: part.size,
      async keep(key, contentType) {
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
    find: (key) => orUndefined(stat(pathOf(key))),
    open: (key) => orUndefined(open(pathOf(key), 'r')),
    receive,
    async remove(key) {
      await rm(pathOf(key), { force: true })
      await rm(`${pathOf(key)}.json`, { force: true })
    },
    async removeStaleParts() {
      // File times are those of the machine, whatever the clock of the product says.
      const now_ms = systemClock.now()
      for (const name of (await orUndefined(readdir(parts))) ?? []) {
        const path = join(parts, name)
        const stats = await orUndefined(stat(path))
        if (stats && now_ms - stats.mtimeMs > DAY_MS) await rm(path, { force: true })
      }
    },
  }
}

async function writePart(folder: string, data: Iterable<Buffer> | AsyncIterable<Buffer>) {
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
