import { giveWay } from '../operator/give-way.js'
import { importArchive } from '../operator/imports.js'
import { openWorkspace } from '../operator/workspace.js'
import { readConfig } from '../platform/config.js'
import { isStep, type Kill } from './testing-kills.js'

const kill: Kill | null = JSON.parse(process.env.KILL ?? 'null')
let steps = 0

/** Ends itself as a power cut would: whoever watches from outside may see the step too late. */
function endAt(phase: string) {
  if (!kill || !isStep(kill, phase)) return
  steps += 1
  if (steps === kill.step) setTimeout(() => process.kill(process.pid, 'SIGKILL'), kill.after_ms)
}

/** A process of its own that imports an archive and tells every step, so that tests can kill it. */
const workspace = await openWorkspace(readConfig(process.env))
if (process.argv[3] === 'giving-way') giveWay(workspace)
await importArchive(workspace, {
  archive: process.argv[2] as string,
  workspace: 'T1',
  options: {},
  onProgress: ({ phase, done }) => {
    process.send?.({ phase, done })
    endAt(phase)
  },
})
await workspace.close()
process.disconnect()
