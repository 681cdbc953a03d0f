import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
)
const COST = { N: 32768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const LENGTH = 32

/** A salted scrypt hash, with its cost beside it so that it can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password, salt, LENGTH, COST)
  return ['scrypt', COST.N, salt.toString('base64url'), hash.toString('base64url')].join('$')
}

export async function matchesPassword(password: string, stored: string | null): Promise<boolean> {
  // A missing account costs as much time as a wrong password, so that neither can be told from outside.
  const [, n, salt = '', hash = ''] = (stored ?? `scrypt$${COST.N}$AAAA$AAAA`).split('$')
  const given = await derive(password, Buffer.from(salt, 'base64url'), LENGTH, { ...COST, N: Number(n) })
  const known = Buffer.from(hash, 'base64url')
  return known.length === LENGTH && timingSafeEqual(given, known)
}
