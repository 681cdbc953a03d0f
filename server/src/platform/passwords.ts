import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createFairQueue } from './fair-queue.js'

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(
  scrypt,
)

/** What one guess costs: N·r·128 bytes of memory, p times. */
export interface PasswordCost {
  N: number
  r: number
  p: number
}

/** The advice of OWASP: 128 MB and about a third of a second. */
const COST: PasswordCost = { N: 2 ** 17, r: 8, p: 1 }
/** For tests, which sign in many times and guard nothing. */
export const LEAST_COST: PasswordCost = { N: 2 ** 10, r: 8, p: 1 }
const LENGTH = 32
/** Each takes its memory and one of the four threads that files are read with. */
const AT_ONCE = 2
const WAITING_AT_MOST = 100

export interface Passwords {
  /** A salted scrypt hash, stored with its cost so that the cost can be raised later. */
  hash(password: string): Promise<string>
  matches(password: string, stored: string | null): Promise<boolean>
  /** Whether the hash was made at another cost than new ones are. */
  isOutdated(stored: string): boolean
}

interface Stored extends PasswordCost {
  salt: Buffer
  hash: Buffer
}

/** `scrypt$N$r$p$salt$hash`; the first hashes had neither r nor p, which were 8 and 1. */
function parse(stored: string): Stored {
  const parts = stored.split('$').slice(1)
  const [N, r, p, salt = '', hash = ''] = parts.length === 3 ? [parts[0], 8, 1, parts[1], parts[2]] : parts
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  return { N: Number(N), r: Number(r), p: Number(p), salt: bytes(`${salt}`), hash: bytes(`${hash}`) }
}

export function createPasswords(cost: PasswordCost = COST): Passwords {
  const queue = createFairQueue({ atOnce: AT_ONCE, waitingAtMost: WAITING_AT_MOST })
  const missing = { ...cost, salt: Buffer.alloc(16), hash: Buffer.alloc(0) }

  function run(password: string, { N, r, p, salt }: Omit<Stored, 'hash'>): Promise<Buffer> {
    // The library wants a little more than what the cost comes to.
    const options = { N, r, p, maxmem: 128 * N * r + 1024 * 1024 }
    return queue.take('passwords', () => derive(password, salt, LENGTH, options))
  }

  return {
    async hash(password) {
      const salt = randomBytes(16)
      const hash = await run(password, { ...cost, salt })
      const { N, r, p } = cost
      return ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$')
    },
    async matches(password, stored) {
      // A missing account costs as much time as a wrong password, so that a caller cannot distinguish the two.
      const known = stored === null ? missing : parse(stored)
      const given = await run(password, known)
      return known.hash.length === LENGTH && timingSafeEqual(given, known.hash)
    },
    isOutdated(stored) {
      const { N, r, p } = parse(stored)
      return N !== cost.N || r !== cost.r || p !== cost.p
    },
  }
}
