import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mailInviteJob } from '@parley/contract'
import type { Context } from '../platform/context.js'
import type { Db, Tx } from '../platform/db/index.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { DAY_MS } from '../platform/time.js'
import { findInvite, type InviteRow, type OpenInvite, putInvite } from './invite-queries.js'

const LIFETIME_MS = 7 * DAY_MS

type Invite = Pick<InviteRow, 'user_id' | 'nonce'>

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
  const invite: InviteRow = {
    user_id,
    nonce: randomBytes(16).toString('base64url'),
    expires_at: new Date(ctx.clock.now() + LIFETIME_MS),
  }
  await putInvite(tx, invite)
  return invite
}

export async function mailInvite(tx: Tx, ctx: Context, { user_id, nonce }: Invite, inviter_id: number) {
  await enqueue(tx, ctx, mailInviteJob, { user_id, nonce, inviter_id })
}

/** The invitation behind a link; undefined where it was used, replaced or is over. */
export async function openInvite(ctx: Context, db: Db, token: string): Promise<OpenInvite | undefined> {
  const [, id, proof = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
  const invite = id && (await findInvite(db, Number(id)))
  if (!invite || invite.expires_at.getTime() <= ctx.clock.now()) return undefined
  return timingSafeEqual(Buffer.from(proof, 'base64url'), mac(ctx.secret, invite)) ? invite : undefined
}
