import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { InvalidSignature } from './errors.js'
import { verifyWebhook } from './verify-webhook.js'

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const BODY = JSON.stringify({ type: 'message', content: 'Grüße' })
const NOW_S = 1_800_000_000

function hmac(secret: string, signed: string) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

function headersOf(signature: string, stamp = NOW_S) {
  return {
    'Webhook-Id': 'msg_1',
    'webhook-timestamp': String(stamp),
    'webhook-signature': signature,
  }
}

const signed = `msg_1.${NOW_S}.${BODY}`
const at = { now_ms: NOW_S * 1000 }

test('a webhook that the secret signed is read, from text, bytes, and headers of any kind', () => {
  const headers = headersOf(hmac(SECRET, signed))
  assert.deepEqual(verifyWebhook({ headers, body: BODY }, SECRET, at), JSON.parse(BODY))
  const request = { headers: new Headers(headers), body: Buffer.from(BODY) }
  assert.deepEqual(verifyWebhook(request, SECRET, at), JSON.parse(BODY))
})

test('while a secret is being replaced, either signature and either secret will do', () => {
  const next = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
  const headers = headersOf(`${hmac(next, signed)} ${hmac(SECRET, signed)}`)
  for (const secret of [SECRET, next, [SECRET, next]]) verifyWebhook({ headers, body: BODY }, secret, at)
  verifyWebhook({ headers: headersOf(hmac(SECRET, signed)), body: BODY }, [next, SECRET], at)
})

test('an Ed25519 signature is checked with the public key', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const headers = headersOf(`v1a,${sign(null, Buffer.from(signed), privateKey).toString('base64')}`)
  const key = `whpk_${raw.toString('base64')}`
  assert.ok(verifyWebhook({ headers, body: BODY }, key, at))
  assert.throws(() => verifyWebhook({ headers, body: `${BODY} ` }, key, at), InvalidSignature)
})

test('what was changed, is old, or was signed by nobody is refused by name', () => {
  const headers = headersOf(hmac(SECRET, signed))
  const refused = { name: 'InvalidSignature' }
  assert.throws(() => verifyWebhook({ headers, body: BODY.replace('G', 'H') }, SECRET, at), refused)
  assert.throws(
    () => verifyWebhook({ headers: { ...headers, 'Webhook-Id': 'msg_2' }, body: BODY }, SECRET, at),
    refused,
  )
  assert.throws(
    () => verifyWebhook({ headers, body: BODY }, SECRET, { now_ms: at.now_ms + 301_000 }),
    refused,
  )
  assert.throws(
    () => verifyWebhook({ headers, body: BODY }, SECRET, { now_ms: at.now_ms - 301_000 }),
    refused,
  )
  assert.throws(() => verifyWebhook({ headers: {}, body: BODY }, SECRET, at), refused)
  assert.throws(() => verifyWebhook({ headers: headersOf('v1,'), body: BODY }, SECRET, at), refused)
  assert.throws(() => verifyWebhook({ headers, body: BODY }, [], at), refused)
  const notNumber = { ...headers, 'webhook-timestamp': 'soon' }
  assert.throws(() => verifyWebhook({ headers: notNumber, body: BODY }, SECRET, at), refused)
})
