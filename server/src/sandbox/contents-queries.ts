import type { SandboxContents } from '@parley/contract'
import type { Context } from '../platform/context.js'

const SHOWN = 100

/** What is in the sandbox, newest first. */
export async function listContents(
  { db, config }: Context,
  owner_id: number,
): Promise<Omit<SandboxContents, 'calls' | 'now'>> {
  const people = await db
    .selectFrom('users')
    .select(['id', 'role', 'nickname'])
    .where('bot', '=', false)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
  const bots = await db
    .selectFrom('bots')
    .innerJoin('users', 'users.id', 'bots.user_id')
    .select(['users.id', 'users.nickname', 'bots.outgoing_url'])
    .where('users.deleted_at', 'is', null)
    .orderBy('users.id', 'desc')
    .limit(SHOWN)
    .execute()
  const chats = await db
    .selectFrom('chats')
    .select(['id', 'name', 'kind'])
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute()
  return { base_url: `${config.public_url}${config.api_prefixes[0]}`, owner_id, people, bots, chats }
}
