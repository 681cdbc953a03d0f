import type { DeviceLogin, Grant } from '@parley/contract'
import type { GrantRow } from './grant-queries.js'

export function presentGrant(row: GrantRow): Grant {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}

export function presentLogin(row: {
  id: number
  name: string | null
  created_at: Date
  last_used_at: Date | null
}): DeviceLogin {
  return {
    id: row.id,
    device_name: row.name,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}
