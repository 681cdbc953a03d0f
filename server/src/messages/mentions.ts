import { extractMentions, rewriteUserMentions } from '@parley/contract'
import { sql } from 'kysely'
import type { Actor } from '../platform/actor.js'
import type { Db } from '../platform/db/index.js'
import { seenBy } from '../users/queries.js'

/** Turns `<@id>` into `@nickname`; ids that name nobody the author sees stay as typed. */
export async function normaliseMentions(db: Db, actor: Actor, content: string): Promise<string> {
  const ids = extractMentions(content).user_ids
  if (ids.length === 0) return content
  const { rows } = await sql<{ id: number; nickname: string }>`
    select u.id, u.nickname from users u
    where u.id = any(${ids}) and u.deleted_at is null and ${seenBy(actor)}`.execute(db)
  return rewriteUserMentions(content, new Map(rows.map(({ id, nickname }) => [id, nickname])))
}

export interface Mentioned {
  /** People, by name or by a tag they have. */
  user_ids: number[]
  /** Bots by name that this author may add to chats. */
  bot_ids: number[]
}

/** Who a text names, by nickname or by tag. `@all` and `@here` name nobody in particular. */
export async function findMentioned(db: Db, actor: Actor, content: string): Promise<Mentioned> {
  const { names } = extractMentions(content)
  if (names.length === 0) return { user_ids: [], bot_ids: [] }
  const lowered = names.map((name) => name.toLowerCase())
  const admin = actor.role === 'owner' || actor.role === 'admin'
  const { rows } = await sql<{ id: number; bot: boolean; addable: boolean }>`
    select u.id, u.bot,
      u.bot and ${actor.role !== 'multi_guest'}::boolean and exists (
        select from bots b where b.user_id = u.id and (
          b.creator_id = ${actor.user_id} or b.user_id = ${actor.user_id}
          or b.who_can_add in ('creator_admin_user', 'anyone')
          or (b.who_can_add = 'creator_admin' and ${admin}::boolean))) as addable
    from users u
    where u.id in (
        select id from users where lower(nickname) = any(${lowered}) and deleted_at is null
        union
        select ut.user_id from group_tags g join user_tags ut on ut.tag_id = g.id
        where lower(replace(g.name, ' ', '')) = any(${lowered}))
      and u.deleted_at is null and not u.suspended and ${seenBy(actor)}`.execute(db)
  return {
    user_ids: rows.filter(({ bot }) => !bot).map(({ id }) => id),
    bot_ids: rows.filter(({ addable }) => addable).map(({ id }) => id),
  }
}
