import type { Reaction } from '@parley/contract'
import type { ReactionRow } from './queries.js'

export function presentReaction({ user_id, created_at, code, name }: ReactionRow): Reaction {
  return { user_id, created_at: created_at.toISOString(), code, name }
}
