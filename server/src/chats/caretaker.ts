import { type Actor, isAdmin } from '../platform/actor.js'
import type { Db } from '../platform/db/index.js'
import { ALLOW, type Verdict } from '../platform/problem.js'
import { isManaged } from './member-queries.js'
import type { ChatFor } from './queries.js'
import { isGroup } from './rules.js'

/**
 * The verdict, or a yes for owner and admins of the workspace where the chat has neither its creator nor an admin in it:
 * somebody must be able to rename it, archive it and appoint an admin. They need not be in it, and do not read it.
 */
export async function asCaretaker(db: Db, actor: Actor, chat: ChatFor, verdict: Verdict): Promise<Verdict> {
  if (verdict.allowed || !isAdmin(actor) || !isGroup(chat)) return verdict
  return (await isManaged(db, chat.id)) ? verdict : ALLOW
}
