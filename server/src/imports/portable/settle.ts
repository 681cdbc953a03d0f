import type { PortableSource } from '@parley/imports'
import { moveUploads } from '../../files/portable-queries.js'
import { moveTokens } from '../../oauth/portable-queries.js'
import type { Tx } from '../../platform/db/index.js'
import { moveOwner, replaceOwner } from '../../users/portable-queries.js'
import { findLoneOwner, moveImports, moveSequences } from './settle-queries.js'

/**
 * Whether a file keeps its ids: where the workspace is empty. Then the owner here gets the id of the owner there, and
 * what is made from now on gets ids beyond those of the file.
 */
export async function settle(
  tx: Tx,
  { manifest }: Pick<PortableSource, 'manifest'>,
  dry: boolean,
): Promise<{ keeps_ids: boolean; owner_id: number | undefined }> {
  const here = await findLoneOwner(tx)
  if (here === undefined) return { keeps_ids: false, owner_id: undefined }
  const there = manifest.workspace.owner_id
  if (!dry) await moveSequences(tx, manifest.ids_up_to)
  if (here !== there) {
    await moveOwner(tx, here, there)
    await moveTokens(tx, here, there)
    await moveImports(tx, here, there)
    await moveUploads(tx, here, there)
    await replaceOwner(tx, here, there)
  }
  return { keeps_ids: true, owner_id: there }
}
