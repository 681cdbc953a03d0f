import type { ScopeName } from '@parley/contract'
import { type Actor, holds } from '../platform/actor.js'
import type { RelayedEvent } from '../platform/events/relay.js'

/** Events that a stream shows only to tokens which may read the same elsewhere; the scope of the stream opens the rest. */
const SCOPES = new Map<string, ScopeName>([
  ['bot', 'bots:read'],
  ['company_members', 'users:read'],
  ['draft', 'drafts:read'],
  ['group_tag', 'group_tags:read'],
  ['reaction', 'reactions:read'],
  ['task', 'tasks:read'],
  ['user', 'users:read'],
])

export function opens(actor: Actor, { type }: RelayedEvent): boolean {
  const scope = SCOPES.get(type.slice(0, type.indexOf('.')))
  return scope === undefined || holds(actor, scope)
}
