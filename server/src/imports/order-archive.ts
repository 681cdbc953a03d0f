import { createWriteStream } from 'node:fs'
import { realpath, rm } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { IMPORT_FAULTS } from '@parley/contract'
import { makeTemporaryFolder } from '@parley/imports'
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

type Named = Pick<OrderRow, 'path' | 'file_key' | 'file_keys'>

/** The keys of an upload, in the order of its parts; none for a path. */
function uploadOf({ file_key, file_keys }: Named): readonly string[] {
  return file_keys ?? (file_key === null ? [] : [file_key])
}

/** The archive as it was named: a path, or the first key of an upload. */
export function archiveOf(order: Named): string {
  return order.path ?? uploadOf(order)[0] ?? ''
}

async function* bytesOf(ctx: Context, keys: readonly string[]): AsyncGenerator<Buffer> {
  for (const key of keys) yield* (await ctx.storage.read(key)) as AsyncIterable<Buffer>
}

/** Works on the archive of an order. An upload lies in the store, and is copied to be read from any place in it. */
export async function withArchive<T>(
  ctx: Context,
  order: OrderRow,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const keys = uploadOf(order)
  if (keys.length === 0) {
    const found = await findArchive(ctx, order.path ?? '')
    if (!found) throw new ImportError(IMPORT_FAULTS.archive_gone)
    return work(found)
  }
  const folder = await makeTemporaryFolder()
  try {
    const copy = join(folder, 'archive')
    await pipeline(bytesOf(ctx, keys), createWriteStream(copy, { mode: 0o600 }))
    return await work(copy)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
