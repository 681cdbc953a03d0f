import { chmod, mkdir } from 'node:fs/promises'

/** Makes a folder that no other account of the host can look into, or closes the one that is there. */
export async function openPrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
}

/** Closes a folder that an earlier version may have left open; one that is not there needs nothing. */
export async function closeFolder(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}
