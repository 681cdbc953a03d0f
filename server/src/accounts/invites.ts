import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mailInviteJob } from '@parley/contract'
import { sql } from 'kysely'
import type { Context } from '../platform/context.js'
import { type Db, read, type Tx } from '../platform/db/index.js'
import { enqueue } from '../platform/jobs/enqueue.js'

const LIFETIME_MS = 7 * 24 * 3_600_000

interface Invite {
  user_id: number
  nonce: string
}

function mac(secret: Buffer, { user_id, nonce }: Invite): Buffer {
  return createHmac('sha256', secret).update(`invite:${user_id}:${nonce}`).digest()
}

/** What the link carries: whom it is for, and the proof. */
export function inviteToken(secret: Buffer, invite: Invite): string {
  return `${invite.user_id}.${mac(secret, invite).toString('base64url')}`
}

export function inviteUrl(ctx: Context, invite: Invite): string {
  return `${ctx.config.app_url}/invite/${inviteToken(ctx.secret, invite)}`
}

/** A new link for seven days; the one before it ends. */
export async function makeInvite(tx: Tx, ctx: Context, user_id: number) {
  const invite = {
    user_id,
    nonce: randomBytes(16).toString('base64url'),
    expires_at: new Date(ctx.clock.now() + LIFETIME_MS),
  }
  const { nonce, expires_at } = invite
  await tx
    .insertInto('invites')
    .values(invite)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ nonce, expires_at }))
    .execute()
  return invite
}

export async function mailInvite(tx: Tx, ctx: Context, invite: Invite) {
  const { user_id, nonce } = invite
  await enqueue(tx, ctx, mailInviteJob, { user_id, nonce })
}

export interface OpenInvite extends Invite {
  expires_at: Date
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

/** The invitation behind a link; undefined where it was used, replaced or is over. */
export async function openInvite(ctx: Context, db: Db, token: string): Promise<OpenInvite | undefined> {
  const [, id, proof = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
  const invite = id && (await findInvite(db, Number(id)))
  if (!invite || invite.expires_at.getTime() <= ctx.clock.now()) return undefined
  return timingSafeEqual(Buffer.from(proof, 'base64url'), mac(ctx.secret, invite)) ? invite : undefined
}
