import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'

export interface KnownPerson {
  id: number
  nickname: string
  email: string | null
}

/** People who may be meant by these mail addresses or nicknames. */
export function listPeopleNamed(db: Db, names: readonly string[]): Promise<KnownPerson[]> {
  return read(
    db,
    sql<KnownPerson>`
    select id, nickname, lower(email) as email from users
    where deleted_at is null and not bot and (lower(email) = any(${names}) or lower(nickname) = any(${names}))`,
  )
}

/** Which of these nicknames are taken, in small letters. */
export async function listTakenNicknames(db: Db, nicknames: readonly string[]): Promise<Set<string>> {
  const rows = await read(
    db,
    sql<{ nickname: string }>`
    select lower(nickname) as nickname from users
    where deleted_at is null and lower(nickname) = any(${nicknames.map((name) => name.toLowerCase())})`,
  )
  return new Set(rows.map(({ nickname }) => nickname))
}

/** What an import knows of somebody who is here. */
export interface ImportedName {
  id: number
  nickname: string
  name: string
  /** Was deleted, or is known as an author alone. */
  former: boolean
}

export async function listKnownPeople(db: Db, ids: readonly number[]): Promise<Map<number, ImportedName>> {
  const rows = await read(
    db,
    sql<ImportedName>`
    select id, nickname, concat_ws(' ', nullif(first_name, ''), nullif(last_name, '')) as name,
      deleted_at is not null as former
    from users where id = any(${ids})`,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export interface ImportedPerson {
  bot: boolean
  role: string
  email: string | null
  first_name: string
  last_name: string | null
  nickname: string
  phone_number: string | null
  title: string | null
  time_zone: string | null
  suspended: boolean
  deleted: boolean
  /** The name of a picture that is stored already. */
  image_key: string | null
  created_at: Date
}

/** Accounts without a password, in the order given: people with a mail address sign in by an invitation or a password reset. */
export async function insertImportedPeople(
  tx: Tx,
  people: readonly ImportedPerson[],
  now: Date,
): Promise<number[]> {
  if (people.length === 0) return []
  const rows = await tx
    .insertInto('users')
    .values(
      people.map(({ deleted, ...person }) => ({
        ...person,
        invite_status: person.bot || !person.email || deleted ? 'confirmed' : 'sent',
        deleted_at: deleted ? now : null,
      })),
    )
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Takes out those who never came in and left nothing behind; gives the names of their pictures. */
export async function deleteImportedPeople(tx: Tx, ids: readonly number[]): Promise<string[]> {
  const { rows } = await sql<{ image_key: string | null }>`
    delete from users u where id = any(${ids}) and password_hash is null and last_activity_at is null
      and not exists (select from tokens t where t.user_id = u.id)
      and not exists (select from messages m where m.user_id = u.id)
      and not exists (select from chat_members m where m.user_id = u.id)
      and not exists (select from chats c where c.owner_id = u.id)
      and not exists (select from invites i where i.user_id = u.id)
    returning image_key`.execute(tx)
  return rows.flatMap(({ image_key }) => image_key ?? [])
}
