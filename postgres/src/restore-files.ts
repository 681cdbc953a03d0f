import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises'
import { dirname, join, normalize, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { ArchiveEntry } from './read-archive.js'

const NEW = '.restored-'
const OLD = '.replaced-'

/** Takes the files of a backup apart from those in use, and puts them in place all at once. */
export interface FilesRestore {
  take(path: string, entry: ArchiveEntry): Promise<void>
  /** Puts the new files where the old ones were. */
  swap(): Promise<void>
  /** Forgets the old files, once nothing can fail any more. */
  settle(): Promise<void>
  /** Puts everything back as it was. */
  undo(): Promise<void>
}

/** Whether a path at the top of a files folder belongs to a restore and not to the server. */
export function isRestoring(path: string): boolean {
  return path.startsWith(NEW) || path.startsWith(OLD)
}

/** Whether a files folder has anything in it. */
export async function hasFiles(folder: string): Promise<boolean> {
  return (await listNames(folder)).length > 0
}

/** Prepares to restore files. All happens inside the folder, as it may be a file system of its own. */
export async function restoreFiles(folder: string): Promise<FilesRestore> {
  const token = randomUUID()
  const [fresh, old] = [join(folder, NEW + token), join(folder, OLD + token)]
  const moved: { from: string; to: string }[] = []
  await mkdir(fresh, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  return {
    async take(path, { body, mtime }) {
      const target = join(fresh, path)
      // A path that leaves the folder can only come from a backup that somebody made up.
      if (
        normalize(path) !== path.replaceAll('/', sep) ||
        !target.startsWith(fresh + sep) ||
        isRestoring(path)
      ) {
        throw new Error(`it holds a file with the path ${path}`)
      }
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      await pipeline(body, createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true }))
      await utimes(target, mtime, mtime)
    },
    async swap() {
      await mkdir(old, { mode: 0o700 })
      for (const name of await listNames(folder)) await move(join(folder, name), join(old, name))
      for (const name of await readdir(fresh)) await move(join(fresh, name), join(folder, name))
    },
    async settle() {
      await rm(old, { recursive: true })
      await rm(fresh, { recursive: true })
    },
    async undo() {
      for (const { from, to } of moved.reverse()) await rename(to, from)
      await rm(old, { recursive: true, force: true })
      await rm(fresh, { recursive: true })
    },
  }

  async function move(from: string, to: string): Promise<void> {
    await rename(from, to)
    moved.push({ from, to })
  }
}

async function listNames(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  return names.filter((name) => !isRestoring(name))
}
