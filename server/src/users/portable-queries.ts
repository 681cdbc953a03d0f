import { sql } from 'kysely'
import type { Tx } from '../platform/db/index.js'
import type { JsonRow } from '../platform/db/json-row.js'

/** People and bots of a portable file, without passwords. */
export async function insertPortableUsers(tx: Tx, users: readonly JsonRow<'users'>[]) {
  if (users.length === 0) return
  await sql`
    insert into users (id, bot, role, email, first_name, last_name, nickname, phone_number, department, title, suspended,
      invite_status, sso, time_zone, image_key, status, created_at, last_activity_at, deleted_at)
    select id, bot, role, email, first_name, last_name, nickname, phone_number, department, title, suspended,
      invite_status, sso, time_zone, image_key, status, created_at, last_activity_at, deleted_at
    from jsonb_populate_recordset(null::users, ${JSON.stringify(users)}::jsonb)`.execute(tx)
}

/** The owner becomes the owner of the file, and keeps password and sessions. */
export async function updatePortableOwner(tx: Tx, owner: JsonRow<'users'>) {
  await sql`
    update users u set email = x.email, first_name = x.first_name, last_name = x.last_name, nickname = x.nickname,
      phone_number = x.phone_number, department = x.department, title = x.title, sso = x.sso, time_zone = x.time_zone,
      image_key = x.image_key, status = x.status, created_at = x.created_at, last_activity_at = x.last_activity_at
    from jsonb_populate_record(null::users, ${JSON.stringify(owner)}::jsonb) x where u.id = x.id`.execute(tx)
}

/** Gives the only account another id. */
export async function moveOwner(tx: Tx, from: number, to: number) {
  await sql`
    insert into users (id, role, email, password_hash, first_name, nickname, created_at, deleted_at)
    select ${to}::bigint, 'admin', email, password_hash, first_name, nickname, created_at, created_at from users where id = ${from}`.execute(
    tx,
  )
}

/** Ends what `moveOwner` began, once nothing names the old id. */
export async function replaceOwner(tx: Tx, from: number, to: number) {
  await sql`delete from users where id = ${from}`.execute(tx)
  await sql`update users set role = 'owner', deleted_at = null where id = ${to}`.execute(tx)
}

export async function insertPortablePreferences(tx: Tx, preferences: readonly JsonRow<'preferences'>[]) {
  if (preferences.length === 0) return
  await sql`
    insert into preferences (user_id, value, changed_at)
    select user_id, value, changed_at from jsonb_populate_recordset(null::preferences, ${JSON.stringify(preferences)}::jsonb)
    on conflict (user_id) do update set value = excluded.value, changed_at = excluded.changed_at`.execute(tx)
}

/** Says who invited whom, once everybody is there. */
export async function linkInviters(tx: Tx, { source, workspace }: { source: string; workspace: string }) {
  await sql`
    update users u set inviter_id = inviter.id
    from import_records r
      join import_keys invited on invited.source = ${source} and invited.workspace = ${workspace}
        and invited.kind = 'person' and invited.source_id = r.source_id
      join import_keys inviter on inviter.source = ${source} and inviter.workspace = ${workspace}
        and inviter.kind = 'person' and inviter.source_id = r.body ->> 'inviter_id'
    where r.kind = 'person' and u.id = invited.id and u.inviter_id is null and inviter.id <> u.id`.execute(tx)
}

/** What would keep people from being taken out. */
export async function deletePortableTraces(tx: Tx, ids: readonly number[]) {
  await sql`delete from preferences where user_id = any(${ids})`.execute(tx)
  await sql`update users set inviter_id = null where inviter_id = any(${ids})`.execute(tx)
}
