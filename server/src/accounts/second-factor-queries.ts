import { type Selectable, sql } from 'kysely'
import { type DB, type Db, read, type Tx } from '../platform/db/index.js'

export type PasskeyRow = Selectable<DB['passkeys']>
export type TotpRow = Selectable<DB['totp_factors']>

export function findTotp(db: Db, userId: number): Promise<TotpRow | undefined> {
  return db.selectFrom('totp_factors').selectAll().where('user_id', '=', userId).executeTakeFirst()
}

/** Keeps a secret that is not confirmed yet, in place of an earlier one. */
export async function putTotp(tx: Tx, user_id: number, sealed_secret: Buffer) {
  await tx
    .insertInto('totp_factors')
    .values({ user_id, sealed_secret })
    .onConflict((same) =>
      same.column('user_id').doUpdateSet({ sealed_secret, confirmed_at: null, last_step: 0 }),
    )
    .execute()
}

export async function confirmTotpRow(tx: Tx, userId: number, confirmed_at: Date) {
  await tx.updateTable('totp_factors').set({ confirmed_at }).where('user_id', '=', userId).execute()
}

/** Notes that the code of a step was used; false where it, or a later one, was used before. */
export async function takeStep(tx: Tx, userId: number, step: number): Promise<boolean> {
  const taken = await tx
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('last_step', '<', step)
    .returning('user_id')
    .executeTakeFirst()
  return taken !== undefined
}

export async function deleteTotp(tx: Tx, userId: number) {
  await tx.deleteFrom('totp_factors').where('user_id', '=', userId).execute()
}

export function listPasskeysOf(db: Db, userId: number): Promise<PasskeyRow[]> {
  return db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute()
}

/** Undefined where the key is known already, whosever it is. */
export function insertPasskey(tx: Tx, row: Omit<PasskeyRow, 'id' | 'last_used_at'>) {
  return tx
    .insertInto('passkeys')
    .values(row)
    .onConflict((same) => same.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function notePasskeyUse(tx: Tx, id: number, counter: number, last_used_at: Date) {
  await tx.updateTable('passkeys').set({ counter, last_used_at }).where('id', '=', id).execute()
}

export function deletePasskey(tx: Tx, userId: number, id: number) {
  return tx
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
}

type Purpose = 'add' | 'sign_in'

export async function putChallenge(
  tx: Tx,
  user_id: number,
  purpose: Purpose,
  challenge: string,
  expires_at: Date,
) {
  await tx
    .insertInto('passkey_challenges')
    .values({ user_id, purpose, challenge, expires_at })
    .onConflict((same) => same.columns(['user_id', 'purpose']).doUpdateSet({ challenge, expires_at }))
    .execute()
}

/** What was to be signed; gone after this, as it works once. */
export async function takeChallenge(tx: Tx, userId: number, purpose: Purpose, now: Date) {
  const taken = await tx
    .deleteFrom('passkey_challenges')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .returning(['challenge', 'expires_at'])
    .executeTakeFirst()
  return taken && taken.expires_at > now ? taken.challenge : undefined
}

export async function replaceRecoveryCodes(tx: Tx, user_id: number, hashes: readonly Buffer[]) {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()
  if (hashes.length > 0)
    await tx
      .insertInto('recovery_codes')
      .values(hashes.map((hash) => ({ user_id, hash })))
      .execute()
}

/** False where there is no such code, or it was used before. */
export async function takeRecoveryCode(tx: Tx, userId: number, hash: Buffer): Promise<boolean> {
  const taken = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .returning('user_id')
    .executeTakeFirst()
  return taken !== undefined
}

export interface Factors {
  totp: boolean
  passkeys: number
  recovery_codes: number
}

/** What somebody has to prove a sign-in with. */
export async function findFactors(db: Db, userId: number): Promise<Factors> {
  const [row] = await read(
    db,
    sql<Factors>`
    select exists (select from totp_factors where user_id = ${userId} and confirmed_at is not null) as totp,
      (select count(*) from passkeys where user_id = ${userId}) as passkeys,
      (select count(*) from recovery_codes where user_id = ${userId}) as recovery_codes`,
  )
  return row as Factors
}
