import type { SignInCoverage } from '@parley/contract'
import { type Insertable, sql } from 'kysely'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'

/** Whom a subject of a provider is here; undefined where nobody, or somebody who was deleted. */
export async function findLinkedId(db: Db, providerId: number, subject: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select('user_id')
    .where('provider_id', '=', providerId)
    .where('subject', '=', subject)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.user_id
}

/** Links a person; a link of the same subject to somebody who was deleted is replaced. False where the person has another subject there. */
export async function linkIdentity(tx: Tx, row: Insertable<DB['identities']>): Promise<boolean> {
  await tx
    .deleteFrom('identities')
    .where('provider_id', '=', row.provider_id)
    .where('subject', '=', row.subject)
    .execute()
  const linked = await tx
    .insertInto('identities')
    .values(row)
    .onConflict((same) => same.columns(['user_id', 'provider_id']).doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return linked !== undefined
}

/** Providers that know a person, in the order of linking. */
export function listIdentitiesOf(db: Db, userId: number) {
  return db
    .selectFrom('identities as i')
    .innerJoin('identity_providers as p', 'p.id', 'i.provider_id')
    .select(['p.id as provider_id', 'p.slug', 'p.name', 'p.enabled', 'i.subject', 'i.created_at'])
    .where('i.user_id', '=', userId)
    .orderBy('i.created_at')
    .orderBy('p.id')
    .execute()
}

export function deleteIdentity(tx: Tx, userId: number, providerId: number) {
  return tx
    .deleteFrom('identities as i')
    .using('identity_providers as p')
    .whereRef('p.id', '=', 'i.provider_id')
    .where('i.user_id', '=', userId)
    .where('i.provider_id', '=', providerId)
    .returning(['p.slug', 'i.subject'])
    .executeTakeFirst()
}

/** Holds others who sign in as the same subject of the provider until the commit. */
export async function lockSubject(tx: Tx, providerId: number, subject: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`identity ${providerId} ${subject}`}, 0))`.execute(
    tx,
  )
}

export async function insertProviderSession(tx: Tx, row: Insertable<DB['provider_sessions']>) {
  await tx.insertInto('provider_sessions').values(row).execute()
}

export async function findProviderSession(db: Db, tokenId: number) {
  return db
    .selectFrom('provider_sessions as s')
    .innerJoin('identity_providers as p', 'p.id', 's.provider_id')
    .select(['p.id', 'p.name', 's.sealed_id_token'])
    .where('s.token_id', '=', tokenId)
    .executeTakeFirst()
}

/** Sessions that a provider opened: all of them, those of a subject, or one of its sessions. */
export async function listProviderSessions(
  db: Db,
  providerId: number,
  which: { subject?: string | undefined; sid?: string | undefined } = {},
): Promise<{ token_id: number; user_id: number }[]> {
  const { subject, sid } = which
  const rows = await read(
    db,
    sql<{ token_id: number; user_id: number }>`
    select s.token_id, t.user_id from provider_sessions s join tokens t on t.id = s.token_id
    where s.provider_id = ${providerId} and (${subject ?? null}::text is null or s.subject = ${subject ?? null})
      and (${sid ?? null}::text is null or s.sid = ${sid ?? null})
    order by s.token_id`,
  )
  return rows
}

export async function countCoverage(db: Db): Promise<SignInCoverage> {
  const [row] = await read(
    db,
    sql<SignInCoverage>`
    select count(*) as people, count(*) filter (where not linked) as without_identity,
      count(*) filter (where not protected) as without_second_factor,
      coalesce(bool_or(linked) filter (where role = 'owner'), false) as owner_linked
    from (select u.role, exists (select from identities i
        join identity_providers p on p.id = i.provider_id and p.enabled where i.user_id = u.id) as linked,
        exists (select from totp_factors f where f.user_id = u.id and f.confirmed_at is not null)
          or exists (select from passkeys k where k.user_id = u.id) as protected
      from users u
      where not u.bot and u.deleted_at is null and not u.suspended and u.invite_status = 'confirmed') active`,
  )
  return row as SignInCoverage
}
