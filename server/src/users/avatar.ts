import { randomBytes } from 'node:crypto'
import { type AvatarData, dropAvatarJob, userAvatarChanged } from '@parley/contract'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { enqueue } from '../platform/jobs/enqueue.js'
import { ensure, found } from '../platform/problem.js'
import { mediaTypeOf } from '../platform/storage/media-type.js'
import { fitImage } from './fit-image.js'
import { avatarUrl } from './present.js'
import { findUserFor, lockUser, type UserRow, updateUser } from './queries.js'
import { mayEdit } from './rules.js'

const NAME = /^[\w-]{20,64}\.(?:jpg|png|gif)$/

function storageKey(name: string): string {
  return `avatars/${name}`
}

function judge(actor: Actor, user: UserRow | undefined, userId: number): UserRow {
  const row = found(user, { key: 'user_id', value: userId })
  ensure(mayEdit(actor, row), 'update_avatar', { type: 'User', id: row.id })
  return row
}

export async function setAvatar(
  ctx: Context,
  actor: Actor,
  userId: number,
  receive: () => Promise<Buffer>,
): Promise<AvatarData> {
  judge(actor, await findUserFor(ctx.db, actor, userId), userId)
  const { data, extension } = await fitImage(ctx.pictures, actor.user_id, await receive())
  const name = `${randomBytes(18).toString('base64url')}.${extension}`
  await ctx.storage.write(storageKey(name), data, mediaTypeOf(name))
  await replaceAvatar(ctx, actor, userId, name)
  return { image_url: avatarUrl(ctx.config.public_url, name) }
}

export async function clearAvatar(ctx: Context, actor: Actor, userId: number): Promise<void> {
  await replaceAvatar(ctx, actor, userId, null)
}

/** The picture before goes by a job, after the commit. */
function replaceAvatar(ctx: Context, actor: Actor, userId: number, image_key: string | null): Promise<void> {
  return transaction(ctx, async (tx) => {
    const user = judge(actor, await lockUser(tx, userId), userId)
    if (user.image_key === image_key) return
    await updateUser(tx, user.id, { image_key })
    if (user.image_key) await enqueue(tx, ctx, dropAvatarJob, { name: user.image_key })
    await emit(tx, ctx, actor, userAvatarChanged, { user_id: user.id })
  })
}

export async function dropAvatar(ctx: Context, name: string) {
  await ctx.storage.remove(storageKey(name))
}

/** The picture and its type; undefined where the name is none of ours. */
export async function openAvatar(ctx: Context, name: string) {
  if (!NAME.test(name) || !(await ctx.storage.stat(storageKey(name)))) return undefined
  return { type: mediaTypeOf(name) as string, body: await ctx.storage.read(storageKey(name)) }
}
