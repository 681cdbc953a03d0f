import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import * as api from '@parley/contract'
import { verifyWebhook } from '@parley/sdk'
import { type Lab, type LabBot, NotTested } from '../lab.js'
import { laws } from '../law.js'
import type { Delivered, Hook } from '../receiver.js'

type Settings = Parameters<Lab['newBot']>[0]

/** A bot that listens, in a chat of its own. */
async function listening(lab: Lab, settings: Settings = {}) {
  const hook = lab.openHook()
  const bot = await lab.newBot({ trigger_on: 'all_messages', outgoing_url: hook.url, ...settings })
  const chat = await lab.newChat({ member_ids: [bot.id] })
  return { hook, bot, chat }
}

function secretOf({ signing_secret }: LabBot): string {
  if (!signing_secret) throw new NotTested('the server does not show the signing secret of a bot')
  return signing_secret
}

const types = (received: readonly Delivered[]) => received.map(({ body }) => `${body.type}/${body.event}`)

async function receivedOne(lab: Lab, hook: Hook): Promise<Delivered> {
  const [one] = await lab.received(hook, 1)
  assert.ok(one, 'no webhook came')
  return one
}

/** After the first attempt at once comes the second, 10 s later, give or take a fifth. */
const RETRY_S = 13

export const webhookLaws = laws('Webhook events', [
  {
    id: 'HOOK-001',
    rule: 'A message reaches a bot of its chat, as type message, event new, with the fields of the message and the time of sending.',
    operations: [api.createMessage],
    needs: ['bots', 'webhooks'],
    async run(lab) {
      const { hook, chat } = await listening(lab)
      const message = await lab.say({ entity_id: chat.id })
      const { body } = await receivedOne(lab, hook)
      const { type, event, id, content, user_id, chat_id, created_at, url, thread, parent_message_id } = body
      assert.deepEqual(
        { type, event, id, content, user_id, chat_id, created_at, url, thread, parent_message_id },
        {
          type: 'message',
          event: 'new',
          id: message.id,
          content: message.content,
          user_id: lab.owner.id,
          chat_id: chat.id,
          created_at: message.created_at,
          url: message.url,
          thread: null,
          parent_message_id: null,
        },
      )
      assert.ok(Number.isInteger(body.webhook_timestamp), 'webhook_timestamp is no number of seconds')
    },
  },
  {
    id: 'HOOK-002',
    rule: 'A header has the hexadecimal HMAC-SHA256 of the raw body, keyed with the signing secret.',
    operations: [api.createBot, api.createMessage],
    needs: ['bots', 'webhooks'],
    async run(lab) {
      const { hook, bot, chat } = await listening(lab)
      await lab.say({ entity_id: chat.id })
      const { raw, headers } = await receivedOne(lab, hook)
      const due = createHmac('sha256', secretOf(bot)).update(raw).digest('hex')
      assert.ok(Object.values(headers).includes(due), 'no header holds the signature of the body')
    },
  },
  {
    id: 'HOOK-003',
    level: 'additions',
    rule: 'webhook-id, webhook-timestamp and webhook-signature are those of Standard Webhooks.',
    operations: [api.createBot, api.createMessage],
    needs: ['bots', 'webhooks'],
    async run(lab) {
      const { hook, bot, chat } = await listening(lab)
      await lab.say({ entity_id: chat.id })
      const { raw, headers, body } = await receivedOne(lab, hook)
      verifyWebhook({ headers, body: raw }, secretOf(bot), { tolerance_s: Number.POSITIVE_INFINITY })
      assert.equal(headers['webhook-timestamp'], String(body.webhook_timestamp))
    },
  },
  {
    id: 'HOOK-004',
    rule: 'Events of one chat come in the order in which they happened.',
    operations: [api.createMessage],
    needs: ['bots', 'webhooks'],
    async run(lab) {
      const { hook, chat } = await listening(lab)
      const made: number[] = []
      for (let count = 0; count < 4; count += 1) made.push((await lab.say({ entity_id: chat.id })).id)
      await lab.received(hook, made.length)
      // One that was sent again while its answer was on its way counts once.
      const ids = async () => [...new Set(hook.received.map(({ body }) => body.id))]
      assert.deepEqual(await lab.eventually(ids, ({ length }) => length >= made.length), made)
    },
  },
  {
    id: 'HOOK-005',
    level: 'additions',
    rule: 'An event that was taken is not sent again.',
    operations: [api.createMessage],
    needs: ['bots', 'webhooks', 'sandbox'],
    async run(lab) {
      const { hook, chat } = await listening(lab)
      await lab.say({ entity_id: chat.id })
      await lab.received(hook, 1)
      await lab.pass(RETRY_S)
      assert.equal((await lab.received(hook, 1)).length, 1, 'a webhook came more than once')
    },
  },
  {
    id: 'HOOK-006',
    rule: 'What was answered with an error is sent again, with the same body but for the time of sending.',
    operations: [api.createMessage],
    needs: ['bots', 'webhooks'],
    async run(lab) {
      const { hook, chat } = await listening(lab)
      hook.answer = 500
      const message = await lab.say({ entity_id: chat.id })
      await receivedOne(lab, hook)
      hook.answer = 200
      await lab.pass(RETRY_S)
      const received = await lab.received(hook, 2)
      assert.equal(received.length, 2, `${received.length} attempts, where the second was due`)
      assert.deepEqual(
        received.map(({ body }) => body.id),
        [message.id, message.id],
      )
      const ids = new Set(received.map(({ headers }) => headers['webhook-id']))
      assert.equal(ids.size, 1, 'the attempts have different ids')
    },
  },
  {
    id: 'HOOK-007',
    rule: 'While one event is being retried, later ones of its chat wait.',
    operations: [api.createMessage],
    needs: ['bots', 'webhooks'],
    async run(lab) {
      const { hook, chat } = await listening(lab)
      hook.answer = 503
      const first = await lab.say({ entity_id: chat.id })
      await receivedOne(lab, hook)
      const second = await lab.say({ entity_id: chat.id })
      await lab.settle()
      assert.deepEqual(
        hook.received.map(({ body }) => body.id),
        [first.id],
        'the second did not wait',
      )
      hook.answer = 200
      await lab.pass(RETRY_S)
      const received = await lab.received(hook, 3)
      assert.deepEqual(
        received.map(({ body }) => body.id),
        [first.id, first.id, second.id],
      )
    },
  },
  {
    id: 'HOOK-008',
    rule: 'Of edits, deletions, reactions and members a bot hears what its events name.',
    operations: [
      api.updateMessage,
      api.deleteMessage,
      api.addReaction,
      api.removeReaction,
      api.addChatMembers,
    ],
    needs: ['bots', 'webhooks'],
    async run(lab) {
      const events = [
        'message_update',
        'message_delete',
        'reaction_new',
        'reaction_delete',
        'chat_member_add',
      ] as const
      const { hook, chat } = await listening(lab, { events: [...events] })
      const { id } = await lab.say({ entity_id: chat.id })
      const params = { id }
      await lab.owner.call(api.addReaction, { params, body: { code: '👍' } })
      await lab.owner.call(api.removeReaction, { params, query: { code: '👍' } })
      await lab.owner.call(api.updateMessage, { params, body: { message: { content: 'edited' } } })
      await lab.settle()
      await lab.owner.call(api.deleteMessage, { params })
      const member_ids = [(await lab.stranger()).id]
      await lab.owner.call(api.addChatMembers, { params: { id: chat.id }, body: { member_ids } })
      const isAdded = ({ body }: Delivered) => isDeepStrictEqual(body.user_ids, member_ids)
      await lab.received(hook, 5)
      // A server may also tell the bot that it was added itself.
      const received = hook.received.some(isAdded) ? hook.received : await lab.received(hook, 6)
      const heard = types(received).filter((type) => type !== 'chat_member/add')
      assert.deepEqual(heard, ['reaction/new', 'reaction/delete', 'message/update', 'message/delete'])
      assert.equal(received.find(isAdded)?.body.chat_id, chat.id, 'the new member is not told')
      const deleted = received.find(({ body }) => body.event === 'delete' && body.type === 'message')?.body
      assert.equal(deleted?.content, '', 'a deletion tells the text')
    },
  },
  {
    id: 'HOOK-009',
    rule: 'By command a bot hears messages that begin with one of its commands, and no others.',
    operations: [api.createMessage],
    needs: ['bots', 'webhooks'],
    async run(lab) {
      const { hook, chat } = await listening(lab, { trigger_on: 'commands', commands: ['/deploy'] })
      for (const content of ['deploy', '/deployed', '/deploy api'])
        await lab.say({ entity_id: chat.id, content })
      const received = await lab.received(hook, 1)
      assert.deepEqual(
        received.map(({ body }) => body.content),
        ['/deploy api'],
      )
    },
  },
  {
    id: 'HOOK-010',
    rule: 'A bot hears nothing of chats that it is not in.',
    operations: [api.createMessage],
    needs: ['bots', 'webhooks'],
    async run(lab) {
      const { hook, chat } = await listening(lab)
      const other = await lab.newChat({ public: true })
      await lab.say({ entity_id: other.id })
      const { id } = await lab.say({ entity_id: chat.id })
      const received = await lab.received(hook, 1)
      assert.deepEqual(
        received.map(({ body }) => body.id),
        [id],
      )
    },
  },
  {
    id: 'HOOK-011',
    rule: 'ignore_self_messages leaves out what the bot wrote itself.',
    operations: [api.createMessage],
    needs: ['bots', 'webhooks'],
    async run(lab) {
      const { hook, bot, chat } = await listening(lab, { ignore_self_messages: true })
      await lab.say({ entity_id: chat.id }, bot)
      const { id } = await lab.say({ entity_id: chat.id })
      const received = await lab.received(hook, 1)
      assert.deepEqual(
        received.map(({ body }) => body.id),
        [id],
      )
    },
  },
  {
    id: 'HOOK-012',
    rule: 'A bot changes its own address, and an empty one turns webhooks off.',
    operations: [api.setOwnWebhook, api.createMessage],
    needs: ['bots', 'webhooks'],
    async run(lab) {
      const { hook, bot, chat } = await listening(lab)
      const other = lab.openHook()
      const set = (outgoing_url: string) =>
        bot.call(api.setOwnWebhook, { body: { webhook: { outgoing_url } } })
      await set(other.url)
      await lab.say({ entity_id: chat.id })
      await receivedOne(lab, other)
      assert.equal((await set('')).data.webhook.outgoing_url, '')
      await lab.say({ entity_id: chat.id })
      await lab.settle()
      assert.deepEqual([hook.received.length, other.received.length], [0, 1])
    },
  },
  {
    id: 'HOOK-013',
    level: 'additions',
    rule: 'The log of deliveries has each event with its attempts; a redelivery sends it again.',
    operations: [api.listDeliveries, api.redeliver],
    needs: ['bots', 'webhooks'],
    async run(lab) {
      const { hook, bot, chat } = await listening(lab)
      await lab.say({ entity_id: chat.id })
      await receivedOne(lab, hook)
      const list = async () => (await lab.owner.call(api.listDeliveries, { params: { id: bot.id } })).data
      const [delivery] = await lab.eventually(list, ([one]) => one?.state === 'delivered')
      assert.deepEqual([delivery?.state, delivery?.attempts.length], ['delivered', 1])
      const params = { id: bot.id, delivery_id: delivery?.id ?? 0 }
      await lab.owner.call(api.redeliver, { params })
      const received = await lab.received(hook, 2)
      assert.equal(received.length, 2)
      assert.equal(received[1]?.headers['webhook-id'], received[0]?.headers['webhook-id'])
    },
  },
])
