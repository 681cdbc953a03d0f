import { join } from '../testing/join.js'
import type { Person, World } from '../testing/world.js'

export const chat = (name: string, more: object = {}) => ({ body: { chat: { name, ...more } } })
export const at = (id: number) => ({ params: { id } })

/** Lines of the system in a chat, oldest first. */
export async function lines({ ctx }: World, chatId: number): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('messages')
    .select('content')
    .where('chat_id', '=', chatId)
    .where('system', '=', true)
    .orderBy('id')
    .execute()
  return rows.map(({ content }) => content)
}

export async function audited({ ctx }: World, ...keys: string[]) {
  const rows = await ctx.db
    .selectFrom('audit_events')
    .select(['event_key', 'actor_id', 'entity_type', 'entity_id', 'details'])
    .where('event_key', 'in', keys)
    .orderBy('sequence')
    .execute()
  return rows
}

export async function message({ ctx, clock }: World, chatId: number, userId: number) {
  const created_at = new Date(clock.now())
  const row = await ctx.db
    .insertInto('messages')
    .values({
      chat_id: chatId,
      root_chat_id: chatId,
      user_id: userId,
      content: 'hello',
      created_at,
      changed_at: created_at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await ctx.db
    .updateTable('chats')
    .set({ last_message_id: row.id, last_message_at: created_at })
    .where('id', '=', chatId)
    .execute()
  return row.id
}

export async function tag({ ctx, clock }: World, name: string, people: Person[]) {
  const row = await ctx.db
    .insertInto('group_tags')
    .values({ name, created_at: new Date(clock.now()) })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const { id } of people)
    await ctx.db.insertInto('user_tags').values({ tag_id: row.id, user_id: id }).execute()
  return row.id
}

export async function rolesIn({ ctx }: World, chatId: number) {
  const rows = await ctx.db
    .selectFrom('chat_members')
    .select(['user_id', 'role'])
    .where('chat_id', '=', chatId)
    .execute()
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]))
}

/** A thread in a chat, or one of its own, with its creator in it. */
export async function thread({ ctx, clock }: World, parent: number | null, creator: Person) {
  const now = new Date(clock.now())
  const { id } = await ctx.db
    .insertInto('chats')
    .values({
      kind: 'thread',
      name: '',
      owner_id: creator.id,
      meet_slug: 'thread-00000000',
      created_at: now,
      last_message_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const row = {
    chat_id: id,
    message_chat_id: parent,
    creator_id: creator.id,
    created_at: now,
    updated_at: now,
  }
  const made = await ctx.db.insertInto('threads').values(row).returning('id').executeTakeFirstOrThrow()
  await join({ ctx }, { id }, creator, 'owner')
  return { id, thread_id: made.id }
}
