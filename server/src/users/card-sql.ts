import { timeSql } from '../platform/db/json-sql.js'

/** Stands before and after the status of a person, which `withStatuses` replaces; JSON text never holds it unescaped. */
export const STATUS_MARK = '\u0001'

/** Mail and phone: one's own always; those of others by role, and for employees and bots by the setting. */
const SEES_CONTACTS = `(u.id = v.user_id or v.admin or not v.guest and w.show_personal_data)`

const TAGS = `case when v.guest and u.id <> v.user_id then '[]' else coalesce((
    select json_agg(t.name order by t.id)::text from user_tags ut join group_tags t on t.id = ut.tag_id
    where ut.user_id = u.id), '[]') end`

/** Every field that is defined comes, the empty ones with null. */
const PROPERTIES = `coalesce((
    select string_agg('{"id":' || d.id || ',"name":' || to_json(d.name)::text || ',"data_type":"' || d.data_type
      || '","value":' || coalesce(to_json(x.value)::text, 'null') || '}', ',' order by d.id)
    from custom_properties d left join user_properties x on x.property_id = d.id and x.user_id = u.id
    where d.entity_type = 'User'), '')`

const textSql = (column: string) => `coalesce(to_json(${column})::text, 'null')`

/**
 * A hot path: the card of the person `u` as JSON text, as `v` (user_id, admin, guest) sees it, with CARD_TABLES. `publicUrl` is an
 * expression.
 */
export function cardJsonSql(publicUrl: string): string {
  return `'{"id":' || u.id || ',"first_name":' || ${textSql('u.first_name')} || ',"last_name":' || ${textSql('u.last_name')}
    || ',"nickname":' || to_json(u.nickname)::text
    || case when ${SEES_CONTACTS}
      then ',"email":' || ${textSql('u.email')} || ',"phone_number":' || ${textSql('u.phone_number')}
      else ',"email":null,"phone_number":null' end
    || ',"department":' || ${textSql('u.department')} || ',"title":' || ${textSql('u.title')}
    || ',"role":"' || case u.role when 'owner' then 'admin' else u.role end || '","suspended":' || u.suspended
    || ',"invite_status":"' || u.invite_status || '","inviter_id":' || coalesce(inviter.id::text, 'null')
    || ',"list_tags":' || ${TAGS} || ',"custom_properties":[' || ${PROPERTIES}
    || '],"user_status":' || case when u.status is null then 'null' else chr(1) || u.status::text || chr(1) end
    || ',"bot":' || u.bot || ',"sso":' || u.sso || ',"created_at":"' || ${timeSql('u.created_at')}
    || '","last_activity_at":' || coalesce('"' || ${timeSql('u.last_activity_at')} || '"', 'null')
    || ',"time_zone":' || ${textSql('u.time_zone')}
    || ',"image_url":' || ${textSql(`${publicUrl} || '/avatars/' || u.image_key`)} || '}'`
}

/**
 * What a card needs besides its person and its viewer; an inviter who is gone is none. The limit tells the planner that there is one
 * workspace: expecting 200, it plans a list of people anew each time, for twice the cost.
 */
export const CARD_TABLES = `cross join (select * from workspace limit 1) w
  left join users inviter on inviter.id = u.inviter_id and inviter.deleted_at is null`
