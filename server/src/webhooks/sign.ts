import { createHmac } from 'node:crypto'
import { SECRET_PREFIX } from '../bots/secrets.js'
import { USER_AGENT } from '../platform/version.js'

export interface Signed {
  body: Buffer
  headers: Record<string, string>
}

/**
 * The body with its stamp, and the headers that prove who sent it; both are new for each attempt. Of the secrets the
 * newest comes first; an older one that is still valid signs `webhook-signature` alone.
 */
export function sign(
  delivery: { event_id: string; payload: string },
  secrets: readonly string[],
  options: { header_names: readonly string[]; at_ms: number; attempt: number; late?: boolean },
): Signed {
  const stamp = Math.floor(options.at_ms / 1000)
  const body = Buffer.from(stamped(delivery.payload, stamp))
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    const hmac = createHmac('sha256', key).update(`${delivery.event_id}.${stamp}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  const [newest = ''] = secrets
  const signature = createHmac('sha256', newest).update(body).digest('hex')
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': USER_AGENT,
      ...Object.fromEntries(options.header_names.map((name) => [name, signature])),
      'webhook-id': delivery.event_id,
      'webhook-timestamp': String(stamp),
      'webhook-signature': standard.join(' '),
      'Parley-Attempt': String(options.attempt),
      ...(options.late ? { 'Parley-Late': 'true' } : {}),
    },
  }
}

/** Adds the time of sending to a payload that is JSON text already. */
export function stamped(payload: string, stamp: number): string {
  return `${payload.slice(0, -1)},"webhook_timestamp":${stamp}}`
}
