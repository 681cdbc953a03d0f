import { createWriteStream } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Context } from '../platform/context.js'
import type { OrderRow } from './order-queries.js'
import { ImportError } from './run-state.js'

/** An archive in the folder of imports; null where there is none, or it lies outside. */
export async function findArchive(ctx: Context, path: string): Promise<string | null> {
  const folder = ctx.config.import_dir
  if (folder === null || path.includes('\0')) return null
  try {
    const [root, found] = await Promise.all([realpath(folder), realpath(resolve(folder, path))])
    return found.startsWith(root + sep) ? found : null
  } catch {
    return null
  }
}

/** Works on the archive of an order. An upload lies in the store, and is copied to be read from any place in it. */
export async function withArchive<T>(
  ctx: Context,
  { path, file_key }: OrderRow,
  work: (path: string) => Promise<T>,
): Promise<T> {
  if (file_key === null) {
    const found = await findArchive(ctx, path ?? '')
    if (!found) throw new ImportError('The archive is not in the folder of imports any more.')
    return work(found)
  }
  const folder = await mkdtemp(join(tmpdir(), 'parley-import-'))
  try {
    const copy = join(folder, 'archive')
    await pipeline(await ctx.storage.read(file_key), createWriteStream(copy, { mode: 0o600 }))
    return await work(copy)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
