import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createMessage, rotateSigningSecret } from '@parley/contract'
import { Webhook } from 'standardwebhooks'
import type { Received } from '../testing/receiver.js'
import { world } from '../testing/world.js'
import { sign } from './sign.js'
import { say } from './testing-events.js'

const HOUR_MS = 3_600_000

test('a message reaches the bot that listens in the chat, stamped and signed', async (t) => {
  const { ctx, alice, bot, office, listen, drain } = await world(t)
  const hook = await listen(bot, ['message_new'])
  const { data } = await alice.call(createMessage, {
    body: { message: { entity_id: office.id, content: 'hello' } },
  })
  await drain()

  assert.equal(hook.requests.length, 1)
  const { body, headers, raw } = hook.requests[0] as Received
  assert.equal(body.id, data.id)
  const { signing_secret } = await ctx.db
    .selectFrom('bots')
    .select('signing_secret')
    .executeTakeFirstOrThrow()
  assert.equal(headers['service-signature'], createHmac('sha256', signing_secret).update(raw).digest('hex'))
  const stamp = headers['webhook-timestamp'] as string
  assert.equal(stamp, String(body.webhook_timestamp))
  const key = Buffer.from(signing_secret.slice('whsec_'.length), 'base64')
  const standard = createHmac('sha256', key).update(`${headers['webhook-id']}.${stamp}.${raw}`)
  assert.equal(headers['webhook-signature'], `v1,${standard.digest('base64')}`)
  assert.equal(headers['parley-attempt'], '1')
  assert.equal(headers['content-type'], 'application/json')
})

test('the library of the standard accepts what either secret signed, and nothing else', () => {
  const [renewed, old, other] = [1, 2, 3].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`)
  assert.ok(renewed && old && other)
  const delivery = { event_id: 'msg_1', payload: '{"content":"Grüße"}' }
  const signed = (at_ms: number) => sign(delivery, [renewed, old], { header_names: [], at_ms, attempt: 1 })
  const { body, headers } = signed(Date.now())
  for (const secret of [renewed, old])
    assert.equal((new Webhook(secret).verify(body, headers) as { content: string }).content, 'Grüße')
  assert.throws(() => new Webhook(other).verify(body, headers), { message: /signature/ })
  const late = signed(Date.now() - 600_000)
  assert.throws(() => new Webhook(renewed).verify(late.body, late.headers), { message: /timestamp/i })
})

test('the signature goes out under every name of the setting', async (t) => {
  const { ctx, alice, bot, office, listen, drain } = await world(t, {
    env: { PARLEY_SIGNATURE_HEADER: 'X-Signed, X-Also-Signed' },
  })
  const hook = await listen(bot, ['message_new'])
  await say(ctx, { chat_id: office.id, user_id: alice.id, content: 'hello' })
  await drain()
  assert.match(String(hook.requests[0]?.headers['x-signed']), /^[0-9a-f]{64}$/)
  assert.equal(hook.requests[0]?.headers['x-also-signed'], hook.requests[0]?.headers['x-signed'])
  assert.equal(hook.requests[0]?.headers['service-signature'], undefined)
})

test('after a rotation both secrets sign for a day, unless the old one ends at once', async (t) => {
  const { ctx, alice, bot, office, listen, drain, clock } = await world(t)
  const hook = await listen(bot, ['message_new'])
  const params = { id: bot.id }
  const secretNow = async () =>
    (await ctx.db.selectFrom('bots').select('signing_secret').executeTakeFirstOrThrow()).signing_secret
  const sent = async () => {
    await say(ctx, { chat_id: office.id, user_id: alice.id, content: 'hello' })
    await drain()
    return hook.requests.at(-1) as Received
  }
  const standard = ({ headers, raw }: Received, secret: string) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${raw}`
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  }
  const old = await secretNow()
  await alice.call(rotateSigningSecret, { params })
  const renewed = await secretNow()
  const both = await sent()
  assert.equal(both.headers['webhook-signature'], `${standard(both, renewed)} ${standard(both, old)}`)
  const own = createHmac('sha256', renewed).update(both.raw).digest('hex')
  assert.equal(both.headers['service-signature'], own)
  clock.advance(24 * HOUR_MS + 1)
  const later = await sent()
  assert.equal(later.headers['webhook-signature'], standard(later, renewed))
  await alice.call(rotateSigningSecret, { params, body: { grace_s: 0 } })
  const last = await sent()
  assert.equal(last.headers['webhook-signature'], standard(last, await secretNow()))
})
