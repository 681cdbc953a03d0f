import { giveWay } from '../operator/give-way.js'
import { importArchive } from '../operator/imports.js'
import { openWorkspace } from '../operator/workspace.js'
import { readConfig } from '../platform/config.js'

/** A process of its own that imports an archive and tells every step, so that tests can kill it. */
const workspace = await openWorkspace(readConfig(process.env))
if (process.argv[3] === 'giving-way') giveWay(workspace)
await importArchive(workspace, {
  archive: process.argv[2] as string,
  workspace: 'T1',
  options: {},
  onProgress: ({ phase, done }) => process.send?.({ phase, done }),
})
await workspace.close()
process.disconnect()
