import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { ArchiveError } from '../archive/archive.js'
import { canonical } from './canonical.js'

/** What is said of an entry. */
export interface Sum {
  name: string
  /** Null for the bytes of a file. */
  lines: number | null
  bytes: number
  sha256: string
  /** The hash of the entry as it is stored, compressed or not; null where there is no entry. */
  packed: string | null
  /** The object was erased while the file was written, and is named for its hash alone. */
  erased?: true
}

/** The chain after an entry: over the chain before it, its name and its hash. */
export function chainAfter(before: Buffer, { name, sha256 }: Pick<Sum, 'name' | 'sha256'>): Buffer {
  return createHash('sha256').update(before).update(name).update(Buffer.from(sha256, 'hex')).digest()
}

export function sumLine(sum: Sum, chain: Buffer): string {
  return `${canonical({ ...sum, chain: chain.toString('hex') })}\n`
}

/** The last line: the end of the chain, and who signs it. */
export function headLine(chain: Buffer, key: KeyObject | null): string {
  const public_key = key && spkiOf(createPublicKey(key))
  const signature = key && sign(null, chain, key).toString('base64')
  return `${canonical({ chain: chain.toString('hex'), public_key, signature })}\n`
}

const spkiOf = (key: KeyObject) => key.export({ format: 'der', type: 'spki' }).toString('base64')

/** The public half of a key, as it stands in a file. */
export function publicKeyOf(key: KeyObject): string {
  return spkiOf(key.type === 'private' ? createPublicKey(key) : key)
}

export function isSigned(chain: Buffer, public_key: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(public_key, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' && verify(null, chain, key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** An Ed25519 key of a PEM file: a private one to sign with, or a public one to compare with. */
export function readKey(pem: string, half: 'private' | 'public'): KeyObject {
  let key: KeyObject
  try {
    key = half === 'private' ? createPrivateKey(pem) : createPublicKey(pem)
  } catch {
    throw new ArchiveError(`the key is no ${half} key in PEM`)
  }
  if (key.asymmetricKeyType !== 'ed25519') throw new ArchiveError('the key is no Ed25519 key')
  return key
}
