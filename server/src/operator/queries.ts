import { sql } from 'kysely'
import type pg from 'pg'
import type { Actor } from '../platform/actor.js'
import { type Db, read } from '../platform/db/index.js'

export interface FoundWorkspace {
  name: string
  plan: Actor['plan']
  /** By which its servers are known. */
  secret: Buffer
  created_at: Date
}

/** The workspace of a database; undefined where there is none, or no table at all. */
export async function findWorkspaceIn(client: pg.Client): Promise<FoundWorkspace | undefined> {
  const { rows } = await client.query(`select to_regclass('public.workspace') is not null as made`)
  if (!rows[0].made) return undefined
  const found = await client.query<FoundWorkspace>('select name, plan, secret, created_at from workspace')
  return found.rows[0]
}

export function findOwner(db: Db): Promise<{ id: number } | undefined> {
  return db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'owner')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
}

export interface NamedUser {
  id: number
  bot: boolean
  role: string
  email: string | null
  name: string
}

/** A person or bot by id, mail or @nickname. */
export function findUsers(db: Db, who: string): Promise<NamedUser[]> {
  const id = /^\d{1,15}$/.test(who) ? Number(who) : null
  const nickname = who.startsWith('@') ? who.slice(1) : null
  return read(
    db,
    sql<NamedUser>`
    select id, bot, role, email, coalesce(concat_ws(' ', first_name, last_name), nickname) as name from users
    where deleted_at is null
      and (id = ${id} or lower(email) = lower(${who}) or lower(nickname) = lower(${nickname}))`,
  )
}

export interface ListedUser {
  id: number
  email: string | null
  nickname: string
  name: string
  role: string
  state: 'active' | 'invited' | 'suspended'
  created_at: Date
  last_activity_at: Date | null
}

/** Everybody who is in the workspace; bots have the role "bot". */
export function listUsers(
  db: Db,
  { role, suspended }: { role?: string; suspended?: boolean },
): Promise<ListedUser[]> {
  return read(
    db,
    sql<ListedUser>`
    select * from (
      select id, email, nickname, concat_ws(' ', first_name, last_name) as name,
        case when bot then 'bot' else role end as role,
        case when suspended then 'suspended' when invite_status = 'sent' then 'invited' else 'active' end as state,
        created_at, last_activity_at
      from users where deleted_at is null) people
    where (${role ?? null}::text is null or role = ${role ?? null})
      and (${suspended ?? null}::boolean is null or (state = 'suspended') = ${suspended ?? null})
    order by id`,
  )
}

export interface ListedToken {
  id: number
  user_id: number
  user: string
  kind: string
  name: string | null
  mask: string
  scopes: string[]
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
}

/** Tokens that still work, of everybody or of one. */
export function listTokensOf(db: Db, at: Date, userId: number | undefined): Promise<ListedToken[]> {
  return read(
    db,
    sql<ListedToken>`
    select t.id, t.user_id, coalesce(u.email, u.nickname) as user, t.kind, t.name, t.mask, t.scopes, t.created_at,
      t.last_used_at, t.expires_at
    from tokens t join users u on u.id = t.user_id
    where u.deleted_at is null and (t.expires_at is null or t.expires_at > ${at})
      and (${userId ?? null}::bigint is null or t.user_id = ${userId ?? null})
    order by t.id`,
  )
}
