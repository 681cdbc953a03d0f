import { createECDH, hkdfSync } from 'node:crypto'

const CURVE = 'prime256v1'
/** Order of the group of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
/** More bytes than the order has, so that the remainder is even (FIPS 186-5, A.2.1). */
const SEED_BYTES = 48

export interface PushKeys {
  publicKey: string
  privateKey: string
}

/**
 * The keys by which push services know this server (VAPID, RFC 8292). They follow from the secret of the workspace, which is
 * made at the first start: there is nothing more to store, and a restored backup keeps every subscription.
 */
export function pushKeysOf(secret: Buffer): PushKeys {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'web push', SEED_BYTES))
  const number = (BigInt(`0x${seed.toString('hex')}`) % (ORDER - 1n)) + 1n
  const key = createECDH(CURVE)
  key.setPrivateKey(Buffer.from(number.toString(16).padStart(64, '0'), 'hex'))
  return {
    publicKey: key.getPublicKey().toString('base64url'),
    privateKey: key.getPrivateKey().toString('base64url').padStart(43, 'A'),
  }
}

/** Whether this is a point of the curve, as browsers give it. */
export function isPublicKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== 65) return false
  const key = createECDH(CURVE)
  key.generateKeys()
  try {
    key.computeSecret(bytes)
    return true
  } catch {
    return false
  }
}
