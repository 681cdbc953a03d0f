import { createHash } from 'node:crypto'
import { chmod, cp, lstat, mkdir, mkdtemp, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Account, canReach, isRoot } from './account.js'

const OUTSIDE = '/var/lib'

/** Where the cluster lives: in its folder, or elsewhere where the database's account cannot pass through to it. */
export interface Place {
  path: string
  /** Leaves a link in the folder to a cluster that lives elsewhere. */
  link(): Promise<void>
  /** Removes a place that was made for this run alone. */
  close(): Promise<void>
}

/** Finds or makes the place for the cluster of a folder. */
export async function choosePlace(folder: string, account: Account, durable: boolean): Promise<Place> {
  const cluster = join(folder, 'cluster')
  const found = await lstat(cluster).catch(() => null)
  if (found?.isSymbolicLink()) return followLink(folder, await readlink(cluster))
  const here = { path: folder, link: async () => {}, close: async () => {} }
  if (account.uid === undefined) return here
  await chmod(folder, 0o711)
  if (await canReach(account, folder)) return here
  return makePlace(folder, account, durable, found !== null)
}

async function followLink(folder: string, target: string): Promise<Place> {
  if (!(await exists(target))) {
    throw new Error(
      `The database of ${folder} was in ${target}, which is gone: put it back, or remove ${join(folder, 'cluster')} to begin anew.`,
    )
  }
  return { path: dirname(target), link: async () => {}, close: async () => {} }
}

async function makePlace(folder: string, account: Account, durable: boolean, moves: boolean): Promise<Place> {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 12)
  const path = durable ? join(OUTSIDE, `parley-${name}`) : await mkdtemp('/tmp/parley-database-')
  await mkdir(path, { recursive: true })
  await chmod(path, 0o711)
  if (!(await canReach(account, path))) {
    throw new Error(
      `The database runs under an account of its own, which can reach neither ${folder} nor ${path}: ` +
        'use a data folder that others can pass through, run as an ordinary user, or set DATABASE_URL.',
    )
  }
  const [inside, outside] = [join(folder, 'cluster'), join(path, 'cluster')]
  // Of a folder that was removed since: kept, as nobody said that its database may go.
  if (await exists(outside)) await rename(outside, `${outside}-replaced-${Date.now()}`)
  if (moves) await move(inside, outside)
  return {
    path,
    link: () => symlink(outside, inside),
    close: async () => {
      if (durable) return
      await rm(inside, { force: true })
      await rm(path, { recursive: true, force: true })
    },
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error
    await cp(from, `${to}-unfinished`, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    await rename(`${to}-unfinished`, to)
    await rename(from, `${from}-moved`)
  }
}

/** A folder for this server: root's own lets the database's account pass, and nobody look. */
export async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: isRoot() ? 0o711 : 0o700 })
}

/** Whether a database was ever made in this folder, here or in the place that it links to. */
export function hasCluster(folder: string): Promise<boolean> {
  return lstat(join(folder, 'cluster')).then(
    () => true,
    () => false,
  )
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
