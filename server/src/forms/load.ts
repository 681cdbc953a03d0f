import type { View } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { presentView } from './present.js'
import { listOpenViews } from './queries.js'
import { VIEW_MS } from './rules.js'

const OPEN_AT_MOST = 50

/** The forms that are open for a person, newest first. */
export async function loadOpenViews(ctx: Context, actor: Actor): Promise<View[]> {
  const opened_after = new Date(ctx.clock.now() - VIEW_MS)
  const rows = await listOpenViews(ctx.db, actor.user_id, opened_after, OPEN_AT_MOST)
  return rows.map(presentView)
}
