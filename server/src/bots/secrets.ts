import { generateKeyPairSync, randomBytes } from 'node:crypto'

export const SECRET_PREFIX = 'whsec_'
export const PRIVATE_KEY_PREFIX = 'whsk_'
const PUBLIC_KEY_PREFIX = 'whpk_'

export function newSigningSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString('base64')
}

/** The last part of an inbound address; anyone who knows it may post. */
export function newInboundKey(): string {
  return randomBytes(24).toString('base64url')
}

/** An Ed25519 key pair, in the spelling of Standard Webhooks. */
export function newKeyPair(): { private_key: string; public_key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const rawOf = (der: Buffer) => der.subarray(-32).toString('base64')
  return {
    private_key: PRIVATE_KEY_PREFIX + rawOf(privateKey.export({ format: 'der', type: 'pkcs8' })),
    public_key: PUBLIC_KEY_PREFIX + rawOf(publicKey.export({ format: 'der', type: 'spki' })),
  }
}
