import type { Line } from '@parley/imports'
import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'
import { shownMessage, time, times } from './line-sql.js'

type PreviewLine = Omit<Line<'message'>['previews'][number], 'picture'> & { picture_key: string | null }
export type MessageLine = Omit<Line<'message'>, 'previews'> & { previews: PreviewLine[] }

export function listMessages(db: Db, since: string | null, after: number, limit: number) {
  return read(
    db,
    sql<MessageLine>`
    select m.id, m.chat_id, m.root_chat_id, m.user_id as author_id, m.content, m.parent_message_id as parent_id, m.buttons,
      m.display_name, m.display_avatar_url, m.forwarding, m.system, m.system_event,
      case when m.has_files then array(select id from files f where f.message_id = m.id order by position, id)
        else '{}'::bigint[] end as files,
      coalesce((select jsonb_agg(jsonb_build_object('person_id', n.user_id, 'tag_id', n.tag_id) order by n.user_id, n.tag_id)
        from mentions n where n.message_id = m.id), '[]') as mentions,
      coalesce((select jsonb_agg(jsonb_build_object('position', p.position, 'url', p.url, 'title', p.title,
          'description', p.description, 'image_url', p.image_url, 'picture_key', p.image_key) order by p.position)
        from link_previews p where p.message_id = m.id), '[]') as previews,
      ${times('m', 'created_at', 'changed_at', 'deleted_at')}
    from messages m where m.id > ${after} and ${shownMessage(since)} order by m.id limit ${limit}`,
  )
}

export type FileLine = Omit<Line<'file'>, 'sha256' | 'state'> & { key: string }

export function listFiles(db: Db, since: string | null, after: number, limit: number) {
  return read(
    db,
    sql<FileLine>`
    select f.id, f.key, f.size, f.name, f.file_type as type, f.width, f.height, f.measured_width, f.measured_height, f.duration_ms,
      f.waveform, f.transcript, f.protected, f.owner_id, f.message_id, f.draft_id, f.position, ${time('f.created_at')} as uploaded_at
    from files f
      left join messages m on m.id = f.message_id
      left join drafts d on d.id = f.draft_id
    where f.id > ${after} and (
      (m.id is not null and ${shownMessage(since)})
      or (d.id is not null and not exists (select from portable_hidden h where h.chat_id = d.chat_id)
        and (d.to_user_id is null or not exists (select from portable_hidden))))
    order by f.id limit ${limit}`,
  )
}

export type ReactionRow = Line<'reaction'> & { id: number }

export function listReactions(
  db: Db,
  since: string | null,
  after: Pick<ReactionRow, 'message_id' | 'id'>,
  limit: number,
) {
  return read(
    db,
    sql<ReactionRow>`
    select r.id, r.message_id, r.user_id as person_id, r.emoji, r.code, r.name, ${times('r', 'created_at')}
    from reactions r join messages m on m.id = r.message_id
    where (r.message_id, r.id) > (${after.message_id}, ${after.id}) and ${shownMessage(since)}
    order by r.message_id, r.id limit ${limit}`,
  )
}

export function listPins(db: Db, since: string | null, after: number, limit: number) {
  return read(
    db,
    sql<Line<'pin'>>`
    select p.message_id, p.chat_id, p.user_id as person_id, ${times('p', 'pinned_at')}
    from pins p join messages m on m.id = p.message_id
    where p.message_id > ${after} and ${shownMessage(since)} order by p.message_id limit ${limit}`,
  )
}
