import type { TokenLimits } from '@parley/contract'
import type { Resource, TokenKind } from '../actor.js'
import { type Pool, rows } from '../db/index.js'

export interface Holder {
  epoch: number
  token_id: number
  kind: TokenKind
  scopes: Set<string>
  expires_at: Date | null
  last_used_at: Date | null
  user_id: number
  role: string
  bot: boolean
  /** The holder, or the bot that the token was granted to. */
  suspended: boolean
  deleted_at: Date | null
  plan: 'corporation' | 'standard'
  workspace_suspended: boolean
  /** A session of somebody without the second factor that the workspace asks for; identity providers ask for their own. */
  unprotected: boolean
  limits: TokenLimits | null
  resource: Resource | null
}

/** Moves with every change of rights. */
export async function readEpoch(pool: Pool): Promise<number> {
  const [row] = await rows<{ epoch: number }>(pool, 'select epoch from admission_epoch where id = 1')
  return row?.epoch ?? 0
}

/** The holder of a token, with the epoch as of which that is true. */
export async function findHolder(pool: Pool, hash: Buffer): Promise<Holder | undefined> {
  const [holder] = await rows<Omit<Holder, 'scopes'> & { scopes: string[] }>(
    pool,
    `select (select epoch from admission_epoch) as epoch, t.id as token_id, t.kind, t.scopes, t.expires_at, t.last_used_at, t.limits, t.resource,
       u.id as user_id, u.role, u.bot, u.deleted_at,
       u.suspended or exists (select from oauth_grants g join users b on b.id = g.bot_id where g.token_id = t.id and b.suspended) as suspended, w.plan, w.suspended as workspace_suspended,
       w.second_factor = 'required' and t.kind = 'session'
         and not exists (select from totp_factors f where f.user_id = u.id and f.confirmed_at is not null)
         and not exists (select from passkeys p where p.user_id = u.id)
         and not exists (select from provider_sessions s where s.token_id = t.id) as unprotected
     from tokens t join users u on u.id = t.user_id cross join workspace w where t.hash = $1`,
    [hash],
  )
  return holder && { ...holder, scopes: new Set(holder.scopes) }
}
