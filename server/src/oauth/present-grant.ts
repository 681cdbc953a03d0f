import type { Grant } from '@parley/contract'
import type { GrantRow } from './grants.js'

export function presentGrant(row: GrantRow): Grant {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}
