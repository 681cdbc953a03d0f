import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { InvalidSignature } from './errors.js'

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

export interface WebhookRequest {
  headers: WebhookHeaders
  /** As it came, not parsed and printed again. */
  body: string | Uint8Array
}

export interface VerifyOptions {
  /** How old a webhook may be: 300 s when absent. */
  tolerance_s?: number
  now_ms?: number
}

/** SubjectPublicKeyInfo of an Ed25519 key, before its 32 bytes. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

export function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(found) ? found[0] : found
}

function isSignedBy(secret: string, signed: Buffer, signature: string): boolean {
  const [version, value = ''] = signature.split(',')
  const given = Buffer.from(value, 'base64')
  if (secret.startsWith('whpk_')) {
    const raw = Buffer.from(secret.slice('whpk_'.length), 'base64')
    const key = createPublicKey({ key: Buffer.concat([ED25519_PREFIX, raw]), format: 'der', type: 'spki' })
    return version === 'v1a' && verify(null, signed, key, given)
  }
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(signed).digest()
  return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
}

/**
 * Checks `webhook-signature` as Standard Webhooks has it and gives the parsed body; throws InvalidSignature otherwise. While a
 * secret is being replaced, pass both.
 */
export function verifyWebhook<T = unknown>(
  { headers, body }: WebhookRequest,
  secret: string | readonly string[],
  { tolerance_s = 300, now_ms = Date.now() }: VerifyOptions = {},
): T {
  const id = headerOf(headers, 'webhook-id')
  const stamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')?.split(' ') ?? []
  if (!id || !stamp || signatures.length === 0)
    throw new InvalidSignature('webhook-id, webhook-timestamp and webhook-signature are needed')
  if (!(Math.abs(now_ms / 1000 - Number(stamp)) <= tolerance_s))
    throw new InvalidSignature(`webhook-timestamp is more than ${tolerance_s} s away`)
  const signed = Buffer.concat([Buffer.from(`${id}.${stamp}.`), Buffer.from(body as Uint8Array)])
  const secrets = [secret].flat() as string[]
  if (!secrets.some((one) => signatures.some((signature) => isSignedBy(one, signed, signature))))
    throw new InvalidSignature('no signature was made with this secret')
  return JSON.parse(Buffer.from(body as Uint8Array).toString()) as T
}
