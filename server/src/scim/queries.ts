import { type Insertable, type RawBuilder, sql } from 'kysely'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'

export interface ScimUserRow {
  id: number
  user_name: string
  external_id: string | null
  email: string | null
  first_name: string | null
  last_name: string | null
  nickname: string
  phone_number: string | null
  title: string | null
  department: string | null
  time_zone: string | null
  role: string
  suspended: boolean
  created_at: Date
  groups: { value: string; display: string }[]
}

export interface Slice {
  offset: number
  limit: number
}

/** People whom the provider may see: bots are ours alone, and those whom it removed are gone for it. */
const PEOPLE = sql`from users u left join scim_users s on s.user_id = u.id
  where u.deleted_at is null and not u.bot and s.removed_at is null`

export async function listScimUsers(db: Db, condition: RawBuilder<unknown>, { offset, limit }: Slice) {
  const rows = await read(
    db,
    sql<ScimUserRow>`
    select u.id, coalesce(s.user_name, u.email, u.nickname) as user_name, s.external_id, u.email, u.first_name, u.last_name,
      u.nickname, u.phone_number, u.title, u.department, u.time_zone, u.role, u.suspended, u.created_at,
      (select coalesce(json_agg(json_build_object('value', t.id::text, 'display', t.name) order by t.id), '[]')
        from user_tags ut join group_tags t on t.id = ut.tag_id where ut.user_id = u.id) as groups
    ${PEOPLE} and ${condition} order by u.id limit ${limit} offset ${offset}`,
  )
  return rows
}

/** The condition that it is one of these people. */
export const isUser = (...ids: readonly number[]) => sql`u.id = any(${ids}::bigint[])`

export async function countScimUsers(db: Db, condition: RawBuilder<unknown>): Promise<number> {
  const [row] = await read(db, sql<{ total: number }>`select count(*) as total ${PEOPLE} and ${condition}`)
  return row?.total ?? 0
}

/** Somebody whom the provider removed before, by name or mail. */
export async function findRemovedId(db: Db, userName: string, email: string): Promise<number | undefined> {
  const [row] = await read(
    db,
    sql<{ id: number }>`
    select u.id from users u join scim_users s on s.user_id = u.id and s.removed_at is not null
    where u.deleted_at is null and (lower(u.email) = lower(${email}) or lower(s.user_name) = lower(${userName}))
    order by lower(u.email) = lower(${email}) desc, u.id limit 1`,
  )
  return row?.id
}

/** Keeps what the provider calls somebody; a name that somebody deleted had is free again. */
export async function putScimUser(tx: Tx, row: Insertable<DB['scim_users']>) {
  await sql`delete from scim_users s using users u where u.id = s.user_id and u.deleted_at is not null
    and lower(s.user_name) = lower(${row.user_name})`.execute(tx)
  const { user_name, external_id, removed_at } = row
  await tx
    .insertInto('scim_users')
    .values(row)
    .onConflict((same) => same.column('user_id').doUpdateSet({ user_name, external_id, removed_at }))
    .execute()
}

export interface ScimGroupRow {
  id: number
  name: string
  external_id: string | null
  created_at: Date
  members: { value: string; display: string }[]
}

const TAGS = sql`from group_tags t left join scim_groups s on s.tag_id = t.id where true`

/** Tags as groups. Without members where the caller leaves them out: they may be thousands. */
export async function listScimGroups(
  db: Db,
  condition: RawBuilder<unknown>,
  { offset, limit, members }: Slice & { members: boolean },
) {
  const rows = await read(
    db,
    sql<ScimGroupRow>`
    select t.id, t.name, s.external_id, t.created_at,
      case when ${members} then (select coalesce(json_agg(json_build_object('value', u.id::text,
          'display', coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.nickname)) order by u.id), '[]')
        from user_tags ut join users u on u.id = ut.user_id and u.deleted_at is null and not u.bot
          left join scim_users su on su.user_id = u.id
        where ut.tag_id = t.id and su.removed_at is null) else '[]' end as members
    ${TAGS} and ${condition} order by t.id limit ${limit} offset ${offset}`,
  )
  return rows
}

/** The condition that it is this tag. */
export const isTag = (id: number) => sql`t.id = ${id}`

export async function countScimGroups(db: Db, condition: RawBuilder<unknown>): Promise<number> {
  const [row] = await read(db, sql<{ total: number }>`select count(*) as total ${TAGS} and ${condition}`)
  return row?.total ?? 0
}

export async function putScimGroup(tx: Tx, row: Insertable<DB['scim_groups']>) {
  const { external_id } = row
  await tx
    .insertInto('scim_groups')
    .values(row)
    .onConflict((same) => same.column('tag_id').doUpdateSet({ external_id }))
    .execute()
}
