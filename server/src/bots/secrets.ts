import { randomBytes } from 'node:crypto'

export const SECRET_PREFIX = 'whsec_'

export function newSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString('base64')
}

/** The last part of an inbound address; anyone who knows it may post. */
export function newInboundKey(): string {
  return randomBytes(24).toString('base64url')
}
