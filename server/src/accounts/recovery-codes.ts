import { createHash, randomInt } from 'node:crypto'
import type { Tx } from '../platform/db/index.js'
import { replaceRecoveryCodes, takeRecoveryCode } from './second-factor-queries.js'

const COUNT = 10
const LENGTH = 16
/** No letters that look like digits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'

const bare = (code: string) => code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
/** Codes are random enough for a plain hash. */
const hashOf = (code: string) => createHash('sha256').update(bare(code)).digest()

function newCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return (letters.match(/.{4}/g) ?? []).join('-')
}

/** Ten new codes in place of those before. */
export async function makeRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode)
  await replaceRecoveryCodes(tx, userId, codes.map(hashOf))
  return codes
}

export function useRecoveryCode(tx: Tx, userId: number, code: string): Promise<boolean> {
  return bare(code).length === LENGTH ? takeRecoveryCode(tx, userId, hashOf(code)) : Promise.resolve(false)
}
