import type { Start } from '@parley/contract'
import { loadSession } from '../accounts/sessions.js'
import { readOwnCards } from '../chats/cards.js'
import { loadNewestDrafts } from '../drafts/load.js'
import { loadOpenViews } from '../forms/load.js'
import { presentSettings } from '../notifications/settings.js'
import { type Actor, holds } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { loadPeople } from '../users/person-cards.js'
import { actsInWorkspace } from './acts.js'
import { readBeginning } from './queries.js'

const DRAFTS_AT_MOST = 50

/**
 * Everything that a client shows first, as JSON. The position is read before all else: what happens meanwhile may be
 * in the answer already, and comes again with the stream.
 */
export async function readStart(ctx: Context, actor: Actor, version: string): Promise<string> {
  const { position, preferences, notifications, has_drafts, has_views, ...counters } = await readBeginning(
    ctx.db,
    actor.user_id,
  )
  const [cards, { session, own_names }, drafts, views] = await Promise.all([
    readOwnCards(ctx, actor),
    loadSession(ctx, actor),
    has_drafts && holds(actor, 'drafts:read') ? loadNewestDrafts(ctx, actor, DRAFTS_AT_MOST) : [],
    has_views ? loadOpenViews(ctx, actor) : [],
  ])
  const people = await loadPeople(ctx, cards.people.add(actor.user_id))
  const { user, role, workspace } = session
  const rest: Omit<Start, 'chats'> = {
    position: String(position),
    version,
    user,
    role,
    workspace,
    may: actsInWorkspace(actor, workspace, own_names),
    preferences: preferences ?? {},
    notifications: presentSettings(notifications),
    people,
    drafts,
    views,
    ...counters,
  }
  return `{"data":${JSON.stringify(rest).slice(0, -1)},"chats":${cards.json}}}`
}
