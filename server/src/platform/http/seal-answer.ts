import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** What the answer is kept under. The token itself is not in the database, so neither is the way to the answer. */
export interface SealedFor {
  token: string
  operation: string
  key: string
}

function keyFor({ token, operation, key }: SealedFor): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', `idempotency\0${operation}\0${key}`, 32))
}

/** Encrypts an answer so that only the same caller with the same key can have it again. */
export function sealAnswer(holder: SealedFor, body: string | Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, keyFor(holder), iv)
  const text = Buffer.concat([cipher.update(body), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text])
}

/** The answer; undefined where it was sealed under another token, as after the token was replaced. */
export function openAnswer(holder: SealedFor, sealed: Buffer): Buffer | undefined {
  const decipher = createDecipheriv(CIPHER, keyFor(holder), sealed.subarray(0, IV_BYTES))
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}
