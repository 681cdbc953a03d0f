import { sql } from 'kysely'
import { type Db, read, type Tx } from '../platform/db/index.js'

export interface InviteRow {
  user_id: number
  nonce: string
  expires_at: Date
}

export interface OpenInvite extends InviteRow {
  email: string
  first_name: string | null
  last_name: string | null
  suspended: boolean
}

/** The invitation of a person who has not accepted it yet. */
export async function findInvite(db: Db, userId: number): Promise<OpenInvite | undefined> {
  const rows = await read(
    db,
    sql<OpenInvite>`
    select i.*, u.email, u.first_name, u.last_name, u.suspended
    from invites i join users u on u.id = i.user_id
    where i.user_id = ${userId} and u.deleted_at is null and u.invite_status = 'sent'`,
  )
  return rows[0]
}

/** Keeps the invitation in place of an earlier one. */
export async function putInvite(tx: Tx, invite: InviteRow) {
  const { nonce, expires_at } = invite
  await tx
    .insertInto('invites')
    .values(invite)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ nonce, expires_at }))
    .execute()
}

export async function deleteInvite(tx: Tx, userId: number) {
  await tx.deleteFrom('invites').where('user_id', '=', userId).execute()
}
