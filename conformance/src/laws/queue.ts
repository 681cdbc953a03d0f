import assert from 'node:assert/strict'
import * as api from '@parley/contract'
import type { Lab } from '../lab.js'
import { laws } from '../law.js'
import { walkPages } from '../pages.js'

/** A bot that polls, with messages waiting. */
async function polling(lab: Lab, count: number) {
  const bot = await lab.newBot({ events_history_enabled: true, trigger_on: 'all_messages' })
  const chat = await lab.newChat({ member_ids: [bot.id] })
  const messages = []
  for (let made = 0; made < count; made += 1) messages.push(await lab.say({ entity_id: chat.id }))
  const list = async () => (await bot.call(api.listWebhookEvents)).data
  const events = await lab.eventually(list, (data) => data.length >= count)
  return { bot, chat, messages, events, list }
}

export const queueLaws = laws('Webhook events', [
  {
    id: 'QUEUE-001',
    rule: 'A bot that keeps its events polls them, newest first, with the body that a webhook has.',
    operations: [api.listWebhookEvents],
    needs: ['bots'],
    async run(lab) {
      const { messages, events } = await polling(lab, 2)
      const shown = events.map(({ event_type, payload }) => [event_type, (payload as { id?: number }).id])
      assert.deepEqual(
        shown,
        [...messages].reverse().map(({ id }) => ['message_new', id]),
      )
      for (const { id } of events) assert.match(id, /^[0-9A-Z]{26}$/)
    },
  },
  {
    id: 'QUEUE-002',
    rule: 'Reading takes nothing from the queue; a deleted event is gone, and 404 after that.',
    operations: [api.listWebhookEvents, api.deleteWebhookEvent],
    needs: ['bots'],
    async run(lab) {
      const { bot, events, list } = await polling(lab, 2)
      assert.deepEqual(
        (await list()).map(({ id }) => id),
        events.map(({ id }) => id),
      )
      const [first, second] = events
      await bot.call(api.deleteWebhookEvent, { params: { id: first?.id ?? '' } })
      assert.deepEqual(
        (await list()).map(({ id }) => id),
        [second?.id],
      )
      await bot.refused(api.deleteWebhookEvent, { params: { id: first?.id } }, { status: 404 })
      await (await lab.stranger()).refused(
        api.deleteWebhookEvent,
        { params: { id: second?.id } },
        { status: 404 },
      )
    },
  },
  {
    id: 'QUEUE-003',
    rule: 'The queue is read by pages.',
    operations: [api.listWebhookEvents],
    needs: ['bots'],
    async run(lab) {
      const { bot, events } = await polling(lab, 3)
      await walkPages(bot, { operation: api.listWebhookEvents, expected: events.map(({ id }) => id) })
    },
  },
  {
    id: 'QUEUE-004',
    rule: 'A bot that keeps no events has an empty queue.',
    operations: [api.listWebhookEvents],
    needs: ['bots'],
    async run(lab) {
      const bot = await lab.newBot({ trigger_on: 'all_messages' })
      const chat = await lab.newChat({ member_ids: [bot.id] })
      await lab.say({ entity_id: chat.id })
      await lab.settle()
      assert.deepEqual((await bot.call(api.listWebhookEvents)).data, [])
    },
  },
])

export const inboundLaws = laws('Webhook events', [
  {
    id: 'INBOUND-001',
    rule: 'What is posted to the inbound address is said by the bot in its chats.',
    operations: [api.postInboundWebhook, api.listMessages],
    needs: ['bots'],
    async run(lab) {
      const bot = await lab.newBot()
      const chat = await lab.newChat({ member_ids: [bot.id] })
      const webhook_key = bot.inbound_url.split('/').at(-1)
      const content = lab.name('build')
      const answer = await lab.anonymous.send(api.postInboundWebhook, {
        params: { webhook_key },
        body: { message: content },
      })
      assert.equal(answer.status, 200)
      const list = async () => (await lab.owner.call(api.listMessages, { query: { chat_id: chat.id } })).data
      const [message] = await lab.eventually(list, (data) => data.length > 0)
      assert.deepEqual([message?.content, message?.user_id], [content, bot.id])
    },
  },
  {
    id: 'INBOUND-002',
    rule: 'The address of a deleted bot answers 404, a body that is neither JSON nor a form 415.',
    operations: [api.postInboundWebhook],
    needs: ['bots'],
    async run(lab) {
      const bot = await lab.newBot()
      const params = { webhook_key: bot.inbound_url.split('/').at(-1) }
      const text = { params, body: 'hello', headers: { 'Content-Type': 'text/plain' } }
      await lab.anonymous.refused(api.postInboundWebhook, text, { status: 415 })
      await lab.owner.call(api.deleteBot, { params: { id: bot.id } })
      await lab.anonymous.refused(api.postInboundWebhook, { params, body: { message: 'x' } }, { status: 404 })
    },
  },
])
