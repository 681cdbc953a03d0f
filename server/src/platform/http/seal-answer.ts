import { seal, unseal } from '../seal.js'

/** What the answer is kept under. The token itself is not in the database, so neither is the way to the answer. */
export interface SealedFor {
  token: string
  operation: string
  key: string
}

const purposeOf = ({ operation, key }: SealedFor) => `idempotency\0${operation}\0${key}`

/** Encrypts an answer so that only the same caller with the same key can have it again. */
export function sealAnswer(holder: SealedFor, body: string | Buffer): Buffer {
  return seal(holder.token, purposeOf(holder), body)
}

/** The answer; undefined where it was sealed under another token, as after the token was replaced. */
export function openAnswer(holder: SealedFor, sealed: Buffer): Buffer | undefined {
  return unseal(holder.token, purposeOf(holder), sealed)
}
