import type { PersonCard } from '@parley/contract'
import type { OwnChats } from '../chats/own-chat-queries.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import { loadPeople, presentPerson } from '../users/person-cards.js'

/** Whom chats name: those who were read with them, and authors of messages that were written since. */
export async function peopleOf(
  ctx: Pick<Context, 'db' | 'clock' | 'config'>,
  { people }: Pick<OwnChats, 'people'>,
  author_ids: readonly number[],
): Promise<PersonCard[]> {
  const at = now(ctx.clock)
  const read = new Set(people.map(({ id }) => id))
  const others = await loadPeople(
    ctx,
    author_ids.filter((id) => !read.has(id)),
  )
  return [...people.map((person) => presentPerson(person, at, ctx.config.public_url)), ...others]
}
