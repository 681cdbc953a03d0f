import { createBot } from '@parley/contract'
import type { Person, World } from '../testing/world.js'

export const named = (name: string, more: object = {}) => ({ body: { webhook: { name, ...more } } })
export const refused = { status: 403, code: 'not_authorized' }

export async function newBot(person: Person, more: object = {}) {
  const { data } = await person.call(createBot, named('Deploy', more))
  return data
}

/** What the log says of bots, oldest first. */
export async function logged({ ctx }: World) {
  const rows = await ctx.db
    .selectFrom('audit_events')
    .select(['event_key', 'actor_id', 'entity_type', 'entity_id', 'details'])
    .orderBy('sequence')
    .execute()
  return rows.filter(({ event_key }) => event_key.startsWith('bot_') || event_key.startsWith('company_bots'))
}
