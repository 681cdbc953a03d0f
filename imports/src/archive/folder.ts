import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Archive, type ArchiveEntry, ArchiveError, LIMITS } from './archive.js'
import { faultOfName, isJunk, wrappingFolder } from './names.js'

/** An archive that was unpacked already. Links are left out: they could lead anywhere. */
export async function openFolderArchive(root: string, limits = LIMITS): Promise<Archive> {
  const found = new Map<string, ArchiveEntry>()
  const refused: string[] = []
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory()) continue
    const path = join(entry.parentPath ?? entry.path, entry.name)
    const name = relative(root, path).split(sep).join('/')
    if (isJunk(name)) continue
    const fault = entry.isFile() ? faultOfName(name) : 'is a link or a device'
    if (fault) refused.push(`${name} ${fault}`)
    else found.set(name, { name, size: (await lstat(path)).size })
    if (found.size > limits.entries) throw new ArchiveError(`the folder has over ${limits.entries} files`)
  }
  const folder = wrappingFolder(found.keys())
  const entries = new Map(
    [...found].map(([name, { size }]) => [
      name.slice(folder.length),
      { name: name.slice(folder.length), size },
    ]),
  )
  return {
    entries,
    refused,
    async open(name) {
      if (!entries.has(name)) throw new ArchiveError(`the folder has no ${name}`)
      return createReadStream(join(root, folder, name))
    },
    pathOf: (name) => (entries.has(name) ? join(root, folder, name) : null),
    async close() {},
  }
}
