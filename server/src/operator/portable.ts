import type { KeyObject } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import {
  ArchiveError,
  type ExportOptions,
  type PortableVerdict,
  readKey,
  verifyPortable,
} from '@parley/imports'
import { type ExportCall, type ExportedWorkspace, exportWorkspace } from '../portable/export.js'
import { OperatorError } from './errors.js'
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
  const key = await keyIn(sign, 'private')
  return exportWorkspace(ctx, file, { options, key, ...(onProgress && { onProgress }) })
}

/** Holds a file against its sums; needs neither a server nor a database. */
export async function verifyPortableFile(file: string, signedBy?: string): Promise<PortableVerdict> {
  return verifyPortable(file, await keyIn(signedBy, 'public'))
}
