import type { QuotedMessage, SystemEvent } from '@parley/contract'
import { sql } from 'kysely'
import { UNREAD_SQL } from '../chats/cards.js'
import { type Db, read } from '../platform/db/index.js'
import { only } from '../platform/db/only-sql.js'
import { opaqueId, opaqueIds } from '../platform/db/opaque-sql.js'
import type { PreviewRow } from '../previews/queries.js'
import { QUOTED_SQL, threadFieldsSql } from './replies-sql.js'

export interface GroupRow {
  emoji: string
  code: string
  name: string | null
  count: number
  user_ids: number[]
}

/** What a timeline shows with a message, the same for everybody. */
export interface AroundRow {
  id: number
  personal_key: string | null
  edited: boolean
  pinned: boolean
  system_event: SystemEvent | null
  quoted: QuotedMessage | null
  reactions: GroupRow[] | null
  previews: PreviewRow[] | null
  thread: {
    id: number
    chat_id: number
    replies_count: number
    last_reply_at: string | null
    last_replier_ids: number[]
  } | null
}

/** One query for everything that hangs on these messages, each part of it found by an index. */
export async function listAround(db: Db, ids: readonly number[]): Promise<AroundRow[]> {
  const rows = await read(
    db,
    sql<AroundRow>`
    select m.id, c.personal_key, m.changed_at <> m.created_at and m.deleted_at is null as edited, m.system_event,
      exists (select from pins p where p.message_id = m.id) as pinned,
      ${sql.raw(QUOTED_SQL)} as quoted,
      (select json_agg(json_build_object('emoji', r.emoji, 'code', r.code, 'name', nullif(r.name, ''), 'count', r.count,
          'user_ids', r.user_ids) order by r.first)
        from (select emoji, min(code) as code, min(name) as name, count(*) as count, min(id) as first,
            (array_agg(user_id order by id))[1:10] as user_ids
          from reactions where message_id = m.id group by emoji) r) as reactions,
      (select json_agg(p order by p.position) from link_previews p where p.message_id = m.id) as previews,
      case when t.id is not null then json_build_object(${sql.raw(threadFieldsSql('tc'))}) end as thread
    from messages m join chats c on c.id = m.chat_id
    left join threads t on t.message_id = m.id left join chats tc on tc.id = t.chat_id
    where m.id = any(${opaqueIds(ids)})`,
  )
  return rows
}

/** What differs from viewer to viewer. */
export interface OwnFacts {
  /** `message:user:emoji` of own reactions. */
  mine: Set<string>
  /** `message:user` of messages that name the viewer. */
  mentioned: Set<string>
  /** Unread replies by `message:user`, of threads that the viewer follows. */
  following: Map<string, number>
}

interface Fact {
  kind: 'mine' | 'mentioned' | 'following'
  key: string
  count: number
}

/** Viewers are looked up in each thread, in order and with a limit; else all that they are in may be read. */
export async function readOwnFacts(
  db: Db,
  ids: readonly number[],
  viewerIds: readonly number[],
): Promise<OwnFacts> {
  const [messages, viewers] = [opaqueIds(ids), opaqueIds(viewerIds)]
  const rows = await read(
    db,
    sql<Fact>`
    select 'mine' as kind, message_id || ':' || user_id || ':' || emoji as key, 0 as count
    from reactions where message_id = any(${messages}) and user_id = any(${viewers})
    union all
    select 'mentioned', n.message_id || ':' || v.id, 0
    from mentions n join messages m on m.id = n.message_id
    cross join unnest(${viewers}) as v (id)
    where n.message_id = any(${messages}) and v.id <> m.user_id and case
      when n.user_id is not null then n.user_id = v.id
      when n.tag_id is not null then exists (select from user_tags ut where ut.tag_id = n.tag_id and ut.user_id = v.id)
      else true end
    union all
    select 'following', t.message_id || ':' || me.user_id, ${sql.raw(UNREAD_SQL)}
    from threads t join chats c on c.id = t.chat_id
    cross join lateral (select user_id, read_message_id, read_number from chat_members me
      where ${only(['chat_id', sql`c.id`])} and user_id = any(${viewers})
      order by chat_id, user_id limit ${opaqueId(viewerIds.length)}) me
    where t.message_id = any(${messages})`,
  )
  const keysOf = (kind: Fact['kind']) => rows.filter((row) => row.kind === kind).map(({ key }) => key)
  return {
    mine: new Set(keysOf('mine')),
    mentioned: new Set(keysOf('mentioned')),
    following: new Map(rows.filter(({ kind }) => kind === 'following').map(({ key, count }) => [key, count])),
  }
}
