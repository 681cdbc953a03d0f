import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMessage, deleteMessage, updateMessage, updateRetention } from '@parley/contract'
import { startRelay } from '../platform/events/relay.js'
import { type World, world } from '../testing/world.js'

const DAY_MS = 24 * 3_600_000

/** Posts a message whose event no reader can take, and gives the id of the message. */
async function postSetAside({ alice, office, ctx }: World): Promise<number> {
  const message = { entity_id: office.id, content: 'SECRET' }
  const { data } = await alice.call(createMessage, { body: { message } })
  const relay = startRelay(ctx, [() => Promise.reject(new Error('cannot read SECRET'))], assert.ifError)
  while ((await relay.drain().catch(() => 1)) > 0);
  return data.id
}

const setAside = async ({ ctx }: World) =>
  JSON.stringify(await ctx.db.selectFrom('set_aside_events').selectAll().execute())

test('a deleted text is gone from events that were set aside', async (t) => {
  const stage = await world(t)
  const id = await postSetAside(stage)
  assert.match(await setAside(stage), /cannot read SECRET/)
  await stage.alice.call(deleteMessage, { params: { id } })
  assert.match(await setAside(stage), /message\.deleted/)
  assert.doesNotMatch(await setAside(stage), /SECRET/)
})

test('events that were set aside hold the new text after an edit', async (t) => {
  const stage = await world(t)
  const id = await postSetAside(stage)
  const content = 'harmless'
  await stage.alice.call(updateMessage, { params: { id }, body: { message: { content } } })
  assert.match(await setAside(stage), /message\.created.*harmless/)
  assert.doesNotMatch(await setAside(stage), /SECRET/)
})

test('events that were set aside hold no text that retention removed', async (t) => {
  const stage = await world(t)
  const { owner, as, clock, drain } = stage
  await postSetAside(stage)
  const session = await as(owner.id, { session: true })
  await session.call(updateRetention, { body: { days: { conversation: 1 } } })
  clock.advance(2 * DAY_MS)
  await drain()
  assert.match(await setAside(stage), /message\.deleted/)
  assert.doesNotMatch(await setAside(stage), /SECRET/)
})
