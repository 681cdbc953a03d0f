import { lowerPriorityOf } from '../platform/db/lower.js'
import { lowerProcess } from '../platform/priority.js'
import type { OpenWorkspace } from './workspace.js'

/** Lets this process, and the database while it works for it, give way to a server beside it: for the rest of a long command. */
export function giveWay({ ctx }: OpenWorkspace) {
  lowerProcess()
  lowerPriorityOf(ctx.autocommit_pool)
}
