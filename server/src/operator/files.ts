import { filesFolder } from '../open-context.js'
import { systemClock } from '../platform/clock.js'
import type { Config } from '../platform/config.js'
import { openSealed } from '../platform/storage/open.js'
import { OperatorError } from './errors.js'

/** Puts every file under the newest key: those from before encryption, and those of older keys. */
export async function resealFiles(config: Config): Promise<{ files: number; changed: number }> {
  const sealed = openSealed(config, filesFolder(config), systemClock)
  if (!sealed) throw new OperatorError('PARLEY_FILES_KEY is not set.')
  let [files, changed] = [0, 0]
  for await (const file of sealed.resealAll()) {
    files += 1
    if (file.changed) changed += 1
  }
  return { files, changed }
}
