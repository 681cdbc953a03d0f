import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'parley-import-'
const NAME = new RegExp(`^${PREFIX}(\\d+)-`)
/** Files have times of coarser clocks than processes. */
const TOLERANCE_MS = 1_000

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** In a container a process often has the number of the one before it, whose folders are older than it is. */
async function isLeft(path: string, pid: number): Promise<boolean> {
  if (pid !== process.pid) return !isAlive(pid)
  const started = Date.now() - process.uptime() * 1_000
  return (await lstat(path)).mtimeMs < started - TOLERANCE_MS
}

/** Removes what killed processes left: each folder can hold an archive as large as the history of a team. */
async function removeLeft(parent: string) {
  for (const name of await readdir(parent)) {
    const pid = NAME.exec(name)?.[1]
    const path = join(parent, name)
    // Another process may remove it at the same time, and folders of other users stay.
    if (pid && (await isLeft(path, Number(pid)).catch(() => false)))
      await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/** A new folder of this process for what has to lie on disk while it is read; remove it after use. */
export async function makeTemporaryFolder(parent = tmpdir()): Promise<string> {
  await removeLeft(parent)
  return mkdtemp(join(parent, `${PREFIX}${process.pid}-`))
}
