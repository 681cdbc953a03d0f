import { lstat, mkdtemp, readdir, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'parley-import-'
const NAME = /^parley-import-(\d+)-(\d+)-/
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

/** Numbers of processes say something within one namespace alone; 0 where the system has none. */
async function readNamespace(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '')
  return /\d+/.exec(link)?.[0] ?? '0'
}

/** A process may have the number of one before it, whose folders are older than it is. */
async function isLeft(path: string, pid: number): Promise<boolean> {
  if (pid !== process.pid) return !isAlive(pid)
  const started = Date.now() - process.uptime() * 1_000
  return (await lstat(path)).mtimeMs < started - TOLERANCE_MS
}

/** Removes what killed processes left: each folder can hold an archive as large as the history of a team. */
async function removeLeft(parent: string, own: string) {
  for (const name of await readdir(parent)) {
    const [, namespace, pid] = NAME.exec(name) ?? []
    const path = join(parent, name)
    // Another process may remove it at the same time, and folders of other users and containers stay.
    if (namespace === own && (await isLeft(path, Number(pid)).catch(() => false)))
      await rm(path, { recursive: true, force: true }).catch(() => {})
  }
}

/** A new folder of this process for what has to lie on disk while it is read; remove it after use. */
export async function makeTemporaryFolder(parent = tmpdir()): Promise<string> {
  const namespace = await readNamespace()
  await removeLeft(parent, namespace)
  return mkdtemp(join(parent, `${PREFIX}${namespace}-${process.pid}-`))
}
