import { type Draft, listMessages } from '@parley/contract'
import { type Person, type World, world } from '../testing/world.js'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

export const saying = (entity_id: number, schedule: unknown, content = 'later') => ({
  body: {
    draft: { entity_type: 'discussion' as const, entity_id, content, schedule: schedule as never },
  },
})
export const changing = (draft: Draft, change: object) => ({
  params: { id: draft.id },
  body: { draft: change },
})

/** A world at noon of a Tuesday, the 17th of September 2030. */
export async function september(t: Parameters<typeof world>[0]) {
  const stage = await world(t)
  stage.clock.freeze(true)
  stage.clock.advance(Date.parse('2030-09-17T12:00:00.000Z') - stage.clock.now())
  return stage
}

export const in_ms = ({ clock }: World, ms: number) => new Date(clock.now() + ms).toISOString()
export const once = (stage: World, ms: number) => ({
  start_date: in_ms(stage, ms),
  repetition: { interval: 'once' },
})
export const daily = (stage: World, ms: number, more: object = {}) => ({
  start_date: in_ms(stage, ms),
  repetition: { interval: 'daily' },
  ...more,
})

export async function texts(person: Person, chat_id: number) {
  const { data } = await person.call(listMessages, { query: { chat_id } })
  return data.map(({ content }) => content).reverse()
}

export async function pass(stage: World, ms: number) {
  stage.clock.advance(ms)
  await stage.drain()
}

export async function notices({ events }: World) {
  const all = await events()
  return all.filter(({ type }) => type === 'notice.created').map(({ payload }) => payload)
}
