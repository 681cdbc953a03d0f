import type { Draft } from '@parley/contract'
import { loadDraftFiles } from '../files/present.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { readPaging } from '../platform/http/page.js'
import { presentDraft } from './present.js'
import { type DraftRow, listDraftRows, listDraftsById } from './queries.js'

/** These drafts with their files, in the order given. */
export async function loadDrafts(ctx: Context, rows: readonly DraftRow[]): Promise<Draft[]> {
  const ids = rows.map(({ id }) => id)
  const files = await loadDraftFiles(ctx, ctx.db, ids)
  return rows.map((row) => presentDraft(row, files.get(row.id)))
}

/** For the live stream, which sends each draft to its author alone. */
export async function loadDraftsById(ctx: Context, ids: readonly number[]): Promise<Draft[]> {
  return ids.length === 0 ? [] : loadDrafts(ctx, await listDraftsById(ctx.db, ids))
}

/** The plain drafts of a person, newest first. */
export async function loadNewestDrafts(ctx: Context, actor: Actor, count: number): Promise<Draft[]> {
  const paging = readPaging({ limit: count }, { list: 'newest', secret: ctx.secret, limit: count })
  const rows = await listDraftRows(ctx.db, { user_id: actor.user_id, type: 'regular' }, paging)
  return loadDrafts(ctx, rows.slice(0, count))
}
