import type { TestContext } from 'node:test'
import { createMessage, type QueryOf, searchMessages } from '@parley/contract'
import { type Person, world } from '../testing/world.js'

export type Query = QueryOf<typeof searchMessages>

/** A world where people say things and look for them. */
export async function setUp(t: TestContext) {
  const stage = await world(t)
  const { alice, office } = stage
  const say = async (content: string, who: Person = alice, chat_id = office.id) => {
    const { data } = await who.call(createMessage, { body: { message: { entity_id: chat_id, content } } })
    return data.id
  }
  const search = (query: string | Query, who: Person = alice) =>
    who.call(searchMessages, { query: typeof query === 'string' ? { query } : query })
  const find = async (query: string | Query, who: Person = alice) =>
    (await search(query, who)).data.map(({ content }) => content)
  return { ...stage, say, search, find }
}

/** Each search is made before the messages are indexed and after: it must not matter. */
export async function bothWays(stage: { drain(): Promise<void> }, check: () => Promise<void>) {
  await check()
  await stage.drain()
  await check()
}
