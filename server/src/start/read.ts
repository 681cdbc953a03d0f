import type { Start } from '@parley/contract'
import { describeSession } from '../accounts/sessions.js'
import { readOwnCards } from '../chats/cards.js'
import { findWorkspace } from '../company/queries.js'
import { loadNewestDrafts } from '../drafts/load.js'
import { loadOpenViews } from '../forms/load.js'
import { findPositions } from '../live/queries.js'
import { type Actor, holds } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { loadPeople } from '../users/person-cards.js'
import { readPreferences } from '../users/preferences.js'
import { actsInWorkspace } from './acts.js'
import { countWaiting } from './queries.js'

const DRAFTS_AT_MOST = 50

/**
 * Everything that a client shows first, as JSON. The position is read before all else: what happens meanwhile may be
 * in the answer already, and comes once more with the stream.
 */
export async function readStart(ctx: Context, actor: Actor, version: string): Promise<string> {
  const { newest } = await findPositions(ctx.db)
  const [cards, session, preferences, drafts, views, counters, settings] = await Promise.all([
    readOwnCards(ctx, actor),
    describeSession(ctx, actor),
    readPreferences(ctx, actor.user_id),
    holds(actor, 'drafts:read') ? loadNewestDrafts(ctx, actor, DRAFTS_AT_MOST) : [],
    loadOpenViews(ctx, actor),
    countWaiting(ctx.db, actor.user_id),
    findWorkspace(ctx.db),
  ])
  const people = await loadPeople(ctx, cards.people.add(actor.user_id))
  const { user, role, workspace } = session
  const rest: Omit<Start, 'chats'> = {
    position: String(newest),
    version,
    user,
    role,
    workspace,
    may: actsInWorkspace(actor, workspace, settings?.own_names ?? 'all'),
    preferences,
    people,
    drafts,
    views,
    ...counters,
  }
  return `{"data":${JSON.stringify(rest).slice(0, -1)},"chats":${cards.json}}}`
}
