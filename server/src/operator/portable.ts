import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  ArchiveError,
  type ExportOptions,
  openPortable,
  type PortableVerdict,
  readKey,
  verifyPortable,
} from '@parley/imports'
import { checkImport } from '../imports/check.js'
import { type ImportReport, reportOf } from '../imports/report.js'
import { runImport } from '../imports/run.js'
import type { Progress } from '../imports/stage.js'
import { type ExportCall, type ExportedWorkspace, exportWorkspace } from '../portable/export.js'
import { OperatorError } from './errors.js'
import { ensureFilesKey } from './files.js'
import { orExplained } from './imports.js'
import { readMapping } from './mapping.js'
import type { OpenWorkspace } from './workspace.js'

/** The key in a PEM file; null where none is named. */
async function keyIn(path: string | undefined, half: 'private' | 'public'): Promise<KeyObject | null> {
  if (path === undefined) return null
  try {
    return readKey(await readFile(path, 'utf8'), half)
  } catch (error) {
    if (error instanceof ArchiveError) throw new OperatorError(`${path}: ${error.message}.`)
    throw new OperatorError(`The key ${path} cannot be read: ${(error as Error).message}`)
  }
}

export interface PortableExportCall {
  file: string
  options: ExportOptions
  /** A PEM file with an Ed25519 private key. */
  sign?: string
  onProgress?: ExportCall['onProgress']
}

/** Writes everything but secrets into one file. */
export async function exportPortable(
  { ctx }: OpenWorkspace,
  { file, options, sign, onProgress }: PortableExportCall,
): Promise<ExportedWorkspace> {
  await ensureFilesKey(ctx)
  const key = await keyIn(sign, 'private')
  return exportWorkspace(ctx, file, { options, key, ...(onProgress && { onProgress }) })
}

/** Holds a file against its sums; needs neither a server nor a database. */
export async function verifyPortableFile(file: string, signedBy?: string): Promise<PortableVerdict> {
  return verifyPortable(file, await keyIn(signedBy, 'public'))
}

export interface PortableImportCall {
  file: string
  /** Tells what would be done, and does nothing. */
  check?: boolean
  /** A file that says who is who, where the workspace is not empty. */
  mapping?: string
  /** A PEM file with an Ed25519 public key: the file must be signed by it. */
  signed_by?: string
  options: { name_prefix?: string }
  onProgress?: (progress: Progress) => void
}

/** Brings a portable file in: with its ids where the workspace is empty, else beside what is here. */
export async function importPortable(
  { ctx, actor }: OpenWorkspace,
  { file, check, mapping, signed_by, options, onProgress }: PortableImportCall,
): Promise<ImportReport> {
  await ensureFilesKey(ctx)
  const key = await keyIn(signed_by, 'public')
  const source = await openPortable(file, key).catch((error: unknown) => {
    if (error instanceof ArchiveError)
      throw new OperatorError(`${file} cannot be imported: ${error.message}.`)
    throw error
  })
  try {
    const known = await readMapping(ctx.db, mapping)
    const call = { archive: file, path: file, options, mapping: known, ...(onProgress && { onProgress }) }
    if (check) return await orExplained(checkImport(ctx, actor, source, call))
    const row = await orExplained(runImport(ctx, actor, source, call))
    return await reportOf(ctx.db, row, source.lost)
  } finally {
    await source.close()
  }
}
