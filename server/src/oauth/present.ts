import type { AccessTokenInfo, TokenLimits } from '@parley/contract'
import type { Selectable } from 'kysely'
import type { DB } from '../platform/db/index.js'
import { LIFETIME_S } from './refresh.js'

export function presentToken(row: Selectable<DB['tokens']>): AccessTokenInfo {
  return {
    id: row.id,
    token: row.mask,
    name: row.name,
    user_id: row.user_id,
    scopes: row.scopes as AccessTokenInfo['scopes'],
    created_at: row.created_at.toISOString(),
    revoked_at: null,
    expires_in: row.kind === 'cli' || row.kind === 'granted' ? LIFETIME_S : null,
    authorized_at: row.kind === 'granted' || row.kind === 'cli' ? row.created_at.toISOString() : null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    ...(row.limits ? { limits: row.limits as TokenLimits } : {}),
  }
}
