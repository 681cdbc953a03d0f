import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createMessage,
  deleteMessage,
  listDeliveries,
  listWebhookEvents,
  redeliver,
  updateMessage,
} from '@parley/contract'
import { sql } from 'kysely'
import { type World, world } from '../testing/world.js'

const saying = (entity_id: number, content: string) => ({ body: { message: { entity_id, content } } })

/** Everything stored that bots received, as one text. */
async function kept({ ctx }: World): Promise<string> {
  const { rows } = await sql<{ text: string }>`
    select payload::text as text from events union all select payload from deliveries
    union all select payload from queued_events`.execute(ctx.db)
  return rows.map(({ text }) => text).join('\n')
}

test('a deleted text is gone from the log and the queue, and sending again sends the deletion', async (t) => {
  const w = await world(t)
  const { alice, bot, office, listen, drain, ctx } = w
  const hook = await listen(bot, ['message_new', 'message_link_shared'])
  await ctx.db
    .updateTable('bots')
    .set({ unfurl_domains: ['example.org'], events_history_enabled: true })
    .execute()
  const { data } = await alice.call(createMessage, saying(office.id, 'SECRET https://example.org/SECRET'))
  await drain()
  assert.match(await kept(w), /SECRET/)
  await alice.call(deleteMessage, { params: { id: data.id } })
  await drain()
  assert.doesNotMatch(await kept(w), /SECRET/)

  const { data: queue } = await bot.call(listWebhookEvents)
  assert.deepEqual(
    queue.map(({ event_type, payload }) => [event_type, 'content' in payload && payload.content]),
    [['message_delete', '']],
  )
  const { data: log } = await alice.call(listDeliveries, { params: { id: bot.id } })
  const entry = log.find(({ event_type }) => event_type === 'message_delete')
  await alice.call(redeliver, { params: { id: bot.id, delivery_id: entry?.id as number } })
  await drain()
  const { event, id, content, user_id } = hook.received.at(-1) as Record<string, unknown>
  assert.deepEqual([event, id, content, user_id], ['delete', data.id, '', alice.id])
})

test('an edited text gives way to the new one, also where it has not arrived yet', async (t) => {
  const w = await world(t)
  const { alice, bot, office, listen, drain, ctx, clock } = w
  clock.freeze(true)
  const hook = await listen(bot, ['message_new', 'message_link_shared'])
  await ctx.db
    .updateTable('bots')
    .set({ unfurl_domains: ['example.org'] })
    .execute()
  ctx.faults.set({ status: 503, count: 99 })
  const said = 'SECRET https://example.org/SECRET https://example.org/kept'
  const { data } = await alice.call(createMessage, saying(office.id, said))
  await drain()
  const content = 'harmless https://example.org/kept'
  await alice.call(updateMessage, { params: { id: data.id }, body: { message: { content } } })
  await drain()
  assert.doesNotMatch(await kept(w), /SECRET/)

  ctx.faults.set(null)
  clock.advance(60_000)
  await drain()
  const told = hook.received.map(
    (body) => body.content ?? (body.links as { url: string }[]).map((l) => l.url),
  )
  assert.deepEqual(told, [content, ['https://example.org/kept']])
})

test('a message that is deleted before anybody was told of it is told to nobody', async (t) => {
  const { alice, bot, office, listen, drain } = await world(t)
  const hook = await listen(bot, ['message_new', 'message_delete'])
  const { data } = await alice.call(createMessage, saying(office.id, 'oops'))
  await alice.call(deleteMessage, { params: { id: data.id } })
  await drain()
  assert.deepEqual(
    hook.received.map(({ event, id, content }) => [event, id, content]),
    [['delete', data.id, '']],
  )
})

test('a receiver that was away hears of a deletion once, after what went before, and its queue tells it once', async (t) => {
  const w = await world(t)
  const { alice, bot, office, listen, drain, ctx, clock } = w
  clock.freeze(true)
  const hook = await listen(bot, ['message_new', 'message_update', 'message_delete'])
  await ctx.db.updateTable('bots').set({ events_history_enabled: true }).execute()
  ctx.faults.set({ status: 503, count: 99 })
  const { data: before } = await alice.call(createMessage, saying(office.id, 'before'))
  const { data } = await alice.call(createMessage, saying(office.id, 'SECRET'))
  const params = { id: data.id }
  await drain()
  await alice.call(updateMessage, { params, body: { message: { content: 'SECRET too' } } })
  await drain()
  await alice.call(deleteMessage, { params })
  await drain()
  assert.doesNotMatch(await kept(w), /SECRET/)

  ctx.faults.set(null)
  clock.advance(60_000)
  await drain()
  const told = hook.received.map(({ event, id }) => [event, id])
  assert.deepEqual(told, [
    ['new', before.id],
    ['delete', data.id],
  ])
  const { data: queue } = await bot.call(listWebhookEvents)
  assert.deepEqual(queue.map(({ event_type }) => event_type).reverse(), ['message_new', 'message_delete'])
})
