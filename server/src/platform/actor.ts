import type { Role, ScopeName, TokenLimits } from '@parley/contract'

export type TokenKind = 'personal' | 'bot' | 'session' | 'cli' | 'granted'

/** What a token was asked for (RFC 8707). */
export type Resource = 'api' | 'mcp'

/** Who asks: the holder of a token, or the server itself on somebody's behalf. */
export interface Actor {
  user_id: number
  /** `bot` for a bot, whatever its row says; a guest who is signed in is a `multi_guest` with one chat. */
  role: Role
  token_id: number | null
  token_kind: TokenKind | null
  scopes: ReadonlySet<string>
  plan: 'corporation' | 'standard'
  ip_address: string | null
  user_agent: string | null
  /** Of the token, where it has any. */
  limits?: TokenLimits
  /** Where alone the token counts, where its client said so. */
  resource?: Resource
}

export function isAdmin(actor: Actor): boolean {
  return actor.role === 'owner' || actor.role === 'admin'
}

export function isBot(actor: Actor): boolean {
  return actor.role === 'bot'
}

export function holds(actor: Actor, scope: ScopeName): boolean {
  return actor.token_kind === 'session' || actor.scopes.has(scope)
}

/** The server acting for a person where no request does: scheduled sends, expiries, background leaves. */
export function actingFor(user_id: number, role: Role, plan: Actor['plan']): Actor {
  return {
    user_id,
    role,
    plan,
    token_id: null,
    token_kind: null,
    scopes: new Set(),
    ip_address: null,
    user_agent: null,
  }
}
