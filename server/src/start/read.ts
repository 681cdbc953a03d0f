import type { Start, User } from '@parley/contract'
import { presentWorkspace } from '../accounts/sessions.js'
import { meetPattern } from '../chats/meet.js'
import type { OwnCards } from '../chats/own-cards.js'
import { loadNewestDrafts } from '../drafts/load.js'
import { loadOpenViews } from '../forms/load.js'
import { presentSettings } from '../notifications/settings.js'
import { type Actor, holds } from '../platform/actor.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { found } from '../platform/problem.js'
import { viewerOf, withStatus } from '../users/present.js'
import { actsInWorkspace } from './acts.js'
import { chatsAfter } from './list-chats.js'
import { peopleOf } from './people.js'
import { readBeginning } from './queries.js'

const DRAFTS_AT_MOST = 50

/**
 * Everything that a client shows first, as JSON. Drafts and views, and chats that change meanwhile, are read after the position: what happens meanwhile may be
 * in the answer already, and comes again with the stream.
 */
export async function readStart(ctx: Context, own: OwnCards, actor: Actor, version: string): Promise<string> {
  const { public_url } = ctx.config
  const given = { public_url, meet: meetPattern(ctx.config), known: own.known(actor.user_id) }
  const row = found(await readBeginning(ctx.db, viewerOf(actor), given))
  const [{ cards, author_ids }, drafts, views] = await Promise.all([
    own.read(ctx, actor, row),
    row.has_drafts && holds(actor, 'drafts:read') ? loadNewestDrafts(ctx, actor, DRAFTS_AT_MOST) : [],
    row.has_views ? loadOpenViews(ctx, actor) : [],
  ])
  const people = await peopleOf(ctx, row, author_ids)
  const at = now(ctx.clock)
  const workspace = presentWorkspace(actor, row)
  const rest: Omit<Start, 'chats'> = {
    position: String(row.position),
    version,
    user: JSON.parse(withStatus(row.user_json, at)) as User,
    role: row.role as Start['role'],
    workspace,
    may: actsInWorkspace(actor, workspace, row.own_names),
    preferences: row.preferences ?? {},
    notifications: presentSettings(row.notifications),
    next_chats: row.page_end && chatsAfter(ctx, row.page_end),
    people,
    drafts,
    views,
    unread_threads: row.unread_threads,
    notices_unread: row.notices_unread,
  }
  return `{"data":${JSON.stringify(rest).slice(0, -1)},"chats":[${cards}]}}`
}
