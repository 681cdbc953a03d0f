import type { Line } from '@parley/imports'
import { sql } from 'kysely'
import { type Db, read } from '../platform/db/index.js'
import { shownChat, time, times } from './line-sql.js'

/** A line whose picture is still a key of the storage. */
export type WithPictureKey<T> = Omit<T, 'picture'> & { picture_key: string | null }

export function listPeople(db: Db, after: number, limit: number) {
  return read(
    db,
    sql<WithPictureKey<Line<'person'>>>`
    select u.id, u.nickname, u.email, u.first_name, u.last_name, u.phone_number, u.department, u.title, u.role, u.suspended,
      u.invite_status, u.inviter_id, u.sso, u.time_zone, 'avatars/' || u.image_key as picture_key, u.status,
      case when p.user_id is not null then jsonb_build_object('value', p.value, 'changed_at', ${time('p.changed_at')}) end
        as preferences,
      case when n.user_id is not null then jsonb_build_object('level', n.level, 'keywords', n.keywords,
        'quiet_hours', case when n.quiet_from is not null then jsonb_build_object('from', n.quiet_from, 'to', n.quiet_to) end,
        'sound', n.sound, 'mail_digest', n.mail_digest,
        'mail_language', n.mail_language, 'digest_sent_at', ${time('n.digest_sent_at')}) end as notifications,
      ${times('u', 'created_at', 'last_activity_at', 'deleted_at')}
    from users u left join preferences p on p.user_id = u.id left join notification_settings n on n.user_id = u.id
    where not u.bot and u.id > ${after} order by u.id limit ${limit}`,
  )
}

export type BotLine = WithPictureKey<Omit<Line<'bot'>, 'promo'>> & {
  promo: { description: string | null; published: boolean; promo_images: string[] } | null
}

/** Bots with their settings. Tokens, secrets, keys of webhooks and clients of OAuth are none of them. */
export function listBots(db: Db, withAddresses: boolean, after: number, limit: number) {
  const address = withAddresses ? sql`b.outgoing_url` : sql`null::text`
  return read(
    db,
    sql<BotLine>`
    select u.id, u.nickname, u.first_name as name, 'avatars/' || u.image_key as picture_key, u.suspended, b.creator_id, b.events,
      b.trigger_on, b.commands, b.template, b.template_engine, b.link_preview_enabled, b.ignore_self_messages,
      b.events_history_enabled, b.single_chat, b.can_edit, b.who_can_add, b.kind as type, b.unfurl_domains,
      ${address} as outgoing_url, b.promo, ${times('u', 'created_at', 'deleted_at')}
    from users u join bots b on b.user_id = u.id
    where u.bot and u.id > ${after} order by u.id limit ${limit}`,
  )
}

type EndpointPlace = Pick<Line<'endpoint'>, 'bot_id' | 'name'>

/** Further addresses of bots, without keys and headers. */
export function listEndpoints(db: Db, withAddresses: boolean, after: EndpointPlace, limit: number) {
  const address = withAddresses ? sql`e.url` : sql`null::text`
  return read(
    db,
    sql<Line<'endpoint'>>`
    select e.bot_id, e.name, ${address} as url, e.events, case when e.chat_ids is not null then array(
        select id from unnest(e.chat_ids) with ordinality as kept (id, place) where ${shownChat('id')} order by place) end as chat_ids,
      e.trigger, e.signature, e.disabled, ${times('e', 'created_at')}
    from endpoints e
    where (e.bot_id, e.name) > (${after.bot_id}, ${after.name}) order by e.bot_id, e.name limit ${limit}`,
  )
}

export function listTags(db: Db, after: number, limit: number) {
  return read(
    db,
    sql<Line<'tag'>>`
    select t.id, t.name, ${times('t', 'created_at')} from group_tags t
    where t.id > ${after} order by t.id limit ${limit}`,
  )
}

export function listTagMembers(db: Db, after: Line<'tag_member'>, limit: number) {
  return read(
    db,
    sql<Line<'tag_member'>>`
    select tag_id, user_id as person_id from user_tags
    where (tag_id, user_id) > (${after.tag_id}, ${after.person_id}) order by tag_id, user_id limit ${limit}`,
  )
}

export function listProperties(db: Db, after: number, limit: number) {
  return read(
    db,
    sql<Line<'property'>>`
    select p.id, p.entity_type, p.name, p.data_type, ${times('p', 'created_at')} from custom_properties p
    where p.id > ${after} order by p.id limit ${limit}`,
  )
}

export function listPropertyValues(
  db: Db,
  after: Pick<Line<'property_value'>, 'property_id' | 'person_id'>,
  limit: number,
) {
  return read(
    db,
    sql<Line<'property_value'>>`
    select property_id, user_id as person_id, value from user_properties
    where (property_id, user_id) > (${after.property_id}, ${after.person_id}) order by property_id, user_id limit ${limit}`,
  )
}
