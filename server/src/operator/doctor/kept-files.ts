import { filesFolder } from '../../open-context.js'
import { systemClock } from '../../platform/clock.js'
import type { Config } from '../../platform/config.js'
import { openStorage } from '../../platform/storage/open.js'
import { hasKey } from '../../platform/storage/seal.js'
import type { KeptFiles } from './database.js'
import { type Finding, finding, reasonOf, within } from './finding.js'

function checkKey({ files_keys }: Config, key_id: Buffer | null): Finding[] {
  if (key_id && !hasKey(files_keys, key_id)) return [finding('encryption_key_missing', {})]
  return files_keys.length > 0 ? [finding('encryption_works', {})] : []
}

const placeOf = (config: Config) =>
  config.s3_endpoint ? `${new URL(config.s3_endpoint).host}/${config.s3_bucket}` : filesFolder(config)

async function checkNewest(config: Config, key: string): Promise<Finding> {
  const place = placeOf(config)
  const storage = openStorage(config, filesFolder(config), Buffer.alloc(0), systemClock)
  try {
    const stat = await within(storage.stat(key))
    return finding(stat ? 'newest_file_found' : 'newest_file_missing', { place })
  } catch (error) {
    return finding('newest_file_failed', { place, reason: reasonOf(error) })
  }
}

/** Whether the files are where the database says, and can be decrypted: they may have been restored or moved without each other. */
export async function checkKeptFiles(config: Config, { key_id, newest }: KeptFiles): Promise<Finding[]> {
  const key = checkKey(config, key_id)
  if (newest === undefined || key.some(({ state }) => state === 'failed')) return key
  return [...key, await checkNewest(config, newest)]
}
