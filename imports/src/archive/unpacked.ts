import { rm } from 'node:fs/promises'
import { type Archive, ArchiveError, LIMITS } from './archive.js'
import { openFolderArchive } from './folder.js'
import { makeTemporaryFolder } from './temporary.js'

/**
 * An archive whose entries can only be read in their order: `unpack` writes them into a folder, which is deleted when the
 * archive is closed, and gives the entries that it refused.
 */
export async function openUnpacked(
  unpack: (folder: string) => Promise<string[]>,
  limits = LIMITS,
): Promise<Archive> {
  const folder = await makeTemporaryFolder()
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const refused = await unpack(folder)
    const archive = await openFolderArchive(folder, limits)
    return { ...archive, refused: [...refused, ...archive.refused], close: remove }
  } catch (error) {
    await remove()
    throw error instanceof ArchiveError
      ? error
      : new ArchiveError(`the archive is damaged: ${(error as Error).message}`)
  }
}
