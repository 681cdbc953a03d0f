import type { Config } from '../platform/config.js'
import type { Db } from '../platform/db/index.js'
import { hasKey } from '../platform/storage/seal.js'
import { readWorkspace } from './queries.js'

/**
 * Why files are not to be touched with this configuration; undefined where they may be. Without the key that encrypted
 * files before, those would be given as they are in the store, and new ones kept as they come. The database knows the key by its
 * id. The files themselves are not asked: people can upload what looks encrypted.
 */
export async function filesKeyFault(
  db: Db,
  { files_keys, files_key_lost }: Config,
): Promise<string | undefined> {
  const { files_key_id } = await readWorkspace(db)
  if (!files_key_id || files_key_lost || hasKey(files_keys, files_key_id)) return undefined
  return 'Files of this workspace were encrypted with a key that PARLEY_FILES_KEY does not have: add that key, after a newer one, with a comma between them. If it is gone, add the word lost instead: everything works but those files, which cannot be read.'
}
