import { createReadStream, type Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { type Archive, type ArchiveEntry, ArchiveError, LIMITS } from './archive.js'
import { faultOfName, isJunk, wrappingFolder } from './names.js'

const pathOf = ({ parentPath, path, name }: Dirent) => join(parentPath ?? path, name)

/** By name: the order of the file system is not the same for every copy of a folder. */
async function list(root: string): Promise<Dirent[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries
    .map((entry) => [pathOf(entry), entry] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, entry]) => entry)
}

/** An archive that was unpacked already. Links are left out: they could lead anywhere. */
export async function openFolderArchive(root: string, limits = LIMITS): Promise<Archive> {
  const found = new Map<string, ArchiveEntry>()
  const refused: string[] = []
  for (const entry of await list(root)) {
    if (entry.isDirectory()) continue
    const path = pathOf(entry)
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
