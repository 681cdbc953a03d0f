import { filesKeyFault } from '../company/files-key.js'
import { filesFolder } from '../open-context.js'
import { systemClock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import type { Context } from '../platform/context.js'
import { openSealed } from '../platform/storage/open.js'
import { OperatorError } from './errors.js'

/** Ends a command that reads or writes files where it has not the key that encrypts them. */
export async function ensureFilesKey({ db, config }: Context) {
  const fault = await filesKeyFault(db, config)
  if (fault) throw new OperatorError(fault)
}

export interface ResealedFiles {
  files: number
  changed: number
  /** The names of those that no key opens; they are left as they are. */
  refused: string[]
}

/** Puts every file under the newest key: those from before encryption, and those of older keys. */
export async function resealFiles(config: Config): Promise<ResealedFiles> {
  if (config.files_keys.length === 0) throw new OperatorError('PARLEY_FILES_KEY has no key.')
  const resealed: ResealedFiles = { files: 0, changed: 0, refused: [] }
  for await (const { key, outcome } of openSealed(config, filesFolder(config), systemClock).resealAll()) {
    resealed.files += 1
    if (outcome === 'changed') resealed.changed += 1
    if (outcome === 'cannot be decrypted') resealed.refused.push(key)
  }
  return resealed
}
