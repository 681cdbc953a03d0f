import assert from 'node:assert/strict'
import { addChatMembers, bindChatTags, createChat, getProfile, updateUser } from '@parley/contract'
import type { Person, World } from '../testing/world.js'

/** Each of the five ways in which calls are put off against each other. */
export const ROUNDS = 5
export const at = (id: number) => ({ params: { id } })

export async function newChat(someone: Person, more: object = {}): Promise<number> {
  return (await someone.call(createChat, { body: { chat: { name: 'race', ...more } } })).data.id
}

export function add(someone: Person, id: number, ...people: Person[]) {
  return someone.call(addChatMembers, { ...at(id), body: { member_ids: people.map((one) => one.id) } })
}

export function bind(someone: Person, id: number, tagId: number) {
  return someone.call(bindChatTags, { ...at(id), body: { group_tag_ids: [tagId] } })
}

export function retag(admin: Person, { id }: Person, list_tags: string[]) {
  return admin.call(updateUser, { params: { id }, body: { user: { list_tags } } })
}

export async function findMember({ ctx }: World, chatId: number, { id }: Person) {
  return ctx.db
    .selectFrom('chat_members')
    .select(['manual', 'tag_ids'])
    .where('chat_id', '=', chatId)
    .where('user_id', '=', id)
    .executeTakeFirst()
}

export type Call = () => Promise<unknown>

/**
 * All at the same moment, give or take a few reads, so that every order gets its turn. Each must end well or with one
 * of the refusals named.
 */
export async function together(
  { alice }: World,
  round: number,
  statuses: readonly number[],
  ...calls: Call[]
) {
  const started = calls.map(async (call, index) => {
    for (let read = (round * (index + 1)) % 5; read > 0; read -= 1) await alice.call(getProfile)
    return call()
  })
  const results = await Promise.allSettled(started)
  return results.map((result) => {
    if (result.status === 'fulfilled') return true
    const { status } = result.reason as { status?: number }
    assert.ok(status !== undefined && statuses.includes(status), `${result.reason}`)
    return false
  })
}
