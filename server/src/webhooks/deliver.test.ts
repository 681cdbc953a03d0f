import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { world } from '../testing/world.js'
import { say } from './testing-events.js'

test('a message reaches the bot that listens in the chat, stamped and signed', async (t) => {
  const { ctx, alice, bot, office, listen, drain } = await world(t)
  const hook = await listen(bot, ['message_new'])

  const id = await say(ctx, { chat_id: office.id, user_id: alice.id, content: 'hello' })
  await drain()

  const [request] = hook.requests
  assert.ok(request)
  assert.equal(hook.requests.length, 1)
  assert.deepEqual(Object.keys(request.body), [
    'type',
    'event',
    'id',
    'entity_type',
    'entity_id',
    'content',
    'user_id',
    'created_at',
    'changed_at',
    'url',
    'chat_id',
    'parent_message_id',
    'thread',
    'webhook_timestamp',
  ])
  assert.equal(request.body.id, id)
  assert.equal(request.body.content, 'hello')
  assert.equal(request.body.url, `${ctx.config.app_url}/chats/${office.id}?message=${id}`)

  const { signing_secret } = await ctx.db
    .selectFrom('bots')
    .select('signing_secret')
    .where('user_id', '=', bot.id)
    .executeTakeFirstOrThrow()
  const { headers, raw } = request
  assert.equal(headers['service-signature'], createHmac('sha256', signing_secret).update(raw).digest('hex'))
  const stamp = headers['webhook-timestamp'] as string
  assert.equal(stamp, String(request.body.webhook_timestamp))
  const key = Buffer.from(signing_secret.slice('whsec_'.length), 'base64')
  const standard = createHmac('sha256', key).update(`${headers['webhook-id']}.${stamp}.${raw}`)
  assert.equal(headers['webhook-signature'], `v1,${standard.digest('base64')}`)
  assert.equal(headers['parley-attempt'], '1')
  assert.equal(headers['content-type'], 'application/json')
})
