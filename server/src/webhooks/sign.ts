import { createHmac, createPrivateKey, sign as signBytes } from 'node:crypto'
import { PRIVATE_KEY_PREFIX, SECRET_PREFIX } from '../bots/secrets.js'
import { USER_AGENT } from '../platform/version.js'

export interface Signed {
  body: Buffer
  headers: Record<string, string>
}

interface Signing {
  header_names: readonly string[]
  at_ms: number
  attempt: number
  late?: boolean
  replay?: { id: number; original_at: Date } | undefined
}

/** PrivateKeyInfo of an Ed25519 key, before its 32 bytes. */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** One signature as Standard Webhooks writes it; the prefix of the key says which kind. */
function standardSignature(key: string, prefix: string, body: Buffer): string {
  if (key.startsWith(PRIVATE_KEY_PREFIX)) {
    const signed = Buffer.concat([Buffer.from(prefix), body])
    const raw = Buffer.from(key.slice(PRIVATE_KEY_PREFIX.length), 'base64')
    const der = Buffer.concat([ED25519_PREFIX, raw])
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    return `v1a,${signBytes(null, signed, privateKey).toString('base64')}`
  }
  const secret = Buffer.from(key.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', secret).update(prefix).update(body).digest('base64')}`
}

/** The older headers hold an HMAC of the body alone, of the newest secret; a private key has none. */
function addOlder(headers: Record<string, string>, newest: string, body: Buffer, names: readonly string[]) {
  if (names.length === 0 || newest.startsWith(PRIVATE_KEY_PREFIX)) return
  const signature = createHmac('sha256', newest).update(body).digest('hex')
  for (const name of names) headers[name] = signature
}

/**
 * The body with its stamp, and the headers that prove who sent it; both are new for each attempt. Of the keys the
 * newest comes first; an older one that is still valid signs `webhook-signature` alone.
 */
export function sign(
  delivery: { event_id: string; payload: string },
  keys: readonly string[],
  options: Signing,
): Signed {
  const { header_names, at_ms, attempt, late, replay } = options
  const stamp = Math.floor(at_ms / 1000)
  const body = Buffer.from(stamped(delivery.payload, stamp))
  const prefix = `${delivery.event_id}.${stamp}.`
  const [newest = ''] = keys
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'webhook-id': delivery.event_id,
    'webhook-timestamp': String(stamp),
    'webhook-signature': keys.map((key) => standardSignature(key, prefix, body)).join(' '),
    'Parley-Attempt': String(attempt),
  }
  addOlder(headers, newest, body, header_names)
  if (late) headers['Parley-Late'] = 'true'
  if (replay) {
    headers['Parley-Replay'] = String(replay.id)
    headers['Parley-Replay-Original'] = replay.original_at.toISOString()
  }
  return { body, headers }
}

/** Adds the time of sending to a payload that is JSON text already. */
export function stamped(payload: string, stamp: number): string {
  return `${payload.slice(0, -1)},"webhook_timestamp":${stamp}}`
}
