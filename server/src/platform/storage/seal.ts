import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { Problem } from '../problem.js'

/*
 * A sealed object: a head, and pieces of 64 KiB that are each encrypted by AES-256-GCM, so that any range can be read and checked
 * alone. Each object has a random key of its own, which the head holds encrypted under a key of the operator; another key
 * of the operator therefore changes the head alone. The head is bound to the name of the object, a piece to its place and to whether
 * it is the last: no object can be put in the place of another, and no piece moved or cut off.
 */

/** Nothing else that is kept begins with these bytes. */
const MARK = Buffer.from('7061726c65792d7365616c2d31e49f0b', 'hex')
const [ID, NONCE, KEY, TAG] = [8, 12, 32, 16]
export const HEAD_BYTES = MARK.length + ID + NONCE + KEY + TAG
const PIECE = 64 * 1024
const SEALED_PIECE = PIECE + TAG

/** A key of the operator, with a name that tells nothing of it. */
export interface SealingKey {
  id: Buffer
  key: Buffer
}

/** The first seals; the others open what was sealed before. */
export type SealingKeys = readonly SealingKey[]

export function sealingKey(key: Buffer): SealingKey {
  return { id: createHash('sha256').update('parley files key').update(key).digest().subarray(0, ID), key }
}

/** Whether the key of this name is among these. */
export function hasKey(keys: readonly Buffer[], id: Buffer): boolean {
  return keys.some((key) => sealingKey(key).id.equals(id))
}

function encrypt(key: Buffer, nonce: Buffer, data: Buffer, bound?: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  if (bound) cipher.setAAD(bound)
  return Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Buffer, nonce: Buffer, sealed: Buffer, bound?: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG })
  if (bound) decipher.setAAD(bound)
  decipher.setAuthTag(sealed.subarray(-TAG))
  try {
    return Buffer.concat([decipher.update(sealed.subarray(0, -TAG)), decipher.final()])
  } catch {
    throw undecryptable()
  }
}

const undecryptable = () =>
  new Problem(400, 'decryption_failed', {
    message: 'cannot be decrypted: its key is not among those of the server, or the file is damaged',
  })

/** Whether no key of the operator opens an object, or it is damaged. */
export function isUndecryptable(error: unknown): boolean {
  return error instanceof Problem && error.code === 'decryption_failed'
}

/** Each key encrypts one object, so the place of a piece is nonce enough. */
function nonceOf(place: number, last: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE)
  nonce.writeUIntBE(place, 5, 6)
  nonce.writeUInt8(last ? 1 : 0, NONCE - 1)
  return nonce
}

function sealHead(own: Buffer, { id, key }: SealingKey, name: string): Buffer {
  const nonce = randomBytes(NONCE)
  return Buffer.concat([MARK, id, nonce, encrypt(key, nonce, own, Buffer.from(name))])
}

/** The key with which an object is sealed; undefined where it is not sealed at all. */
export function keyIdOf(head: Buffer): Buffer | undefined {
  if (!head.subarray(0, MARK.length).equals(MARK)) return undefined
  return head.subarray(MARK.length, MARK.length + ID)
}

/** The own key of an object. */
export function openHead(head: Buffer, keys: SealingKeys, name: string): Buffer {
  const found = keys.find(({ id }) => keyIdOf(head)?.equals(id))
  if (!found || head.length < HEAD_BYTES) throw undecryptable()
  const rest = head.subarray(MARK.length + ID)
  return decrypt(
    found.key,
    rest.subarray(0, NONCE),
    rest.subarray(NONCE, NONCE + KEY + TAG),
    Buffer.from(name),
  )
}

/** The same content under another key of the operator. */
export function resealHead(head: Buffer, to: SealingKey, keys: SealingKeys, name: string): Buffer {
  return sealHead(openHead(head, keys, name), to, name)
}

/** Cuts a stream into pieces of this size; the last is shorter, and there is always one. */
async function* pieces(data: AsyncIterable<Buffer>, size: number): AsyncGenerator<[Buffer, boolean]> {
  let kept: Buffer[] = []
  let bytes = 0
  for await (const chunk of data) {
    kept.push(chunk)
    bytes += chunk.length
    if (bytes <= size) continue
    let whole = Buffer.concat(kept)
    for (; whole.length > size; whole = whole.subarray(size)) yield [whole.subarray(0, size), false]
    kept = [whole]
    bytes = whole.length
  }
  yield [Buffer.concat(kept), true]
}

export async function* seal(
  data: AsyncIterable<Buffer>,
  key: SealingKey,
  name: string,
): AsyncGenerator<Buffer> {
  const own = randomBytes(KEY)
  yield sealHead(own, key, name)
  let place = 0
  for await (const [piece, last] of pieces(data, PIECE)) {
    yield encrypt(own, nonceOf(place, last), piece)
    place += 1
  }
}

/** How large the content of a sealed object is. */
export function contentSize(sealed_bytes: number): number {
  const body = sealed_bytes - HEAD_BYTES
  const count = Math.ceil(body / SEALED_PIECE)
  if (body < TAG || body - (count - 1) * SEALED_PIECE < TAG) throw undecryptable()
  return body - count * TAG
}

/** Where the pieces lie that hold this range of the content; both ends are included. */
export function sealedRange(start: number, end: number, sealed_bytes: number) {
  const first = Math.floor(start / PIECE)
  const last = Math.floor(end / PIECE)
  return {
    start: HEAD_BYTES + first * SEALED_PIECE,
    end: Math.min(HEAD_BYTES + (last + 1) * SEALED_PIECE, sealed_bytes) - 1,
  }
}

interface Part {
  /** The own key of the object. */
  own: Buffer
  /** What of the content is wanted; both ends are included. */
  start: number
  end: number
  /** Of the whole content. */
  size: number
}

/** The wanted part of the content, from the pieces of `sealedRange`. */
export async function* unseal(
  data: AsyncIterable<Buffer>,
  { own, start, end, size }: Part,
): AsyncGenerator<Buffer> {
  const final = Math.max(0, Math.ceil(size / PIECE) - 1)
  let place = Math.floor(start / PIECE)
  for await (const [sealed] of pieces(data, SEALED_PIECE)) {
    if (sealed.length < TAG) throw undecryptable()
    const piece = decrypt(own, nonceOf(place, place === final), sealed)
    const offset = place * PIECE
    yield piece.subarray(Math.max(0, start - offset), end + 1 - offset)
    place += 1
  }
}
