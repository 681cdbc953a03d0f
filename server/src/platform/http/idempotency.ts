import { createHash } from 'node:crypto'
import type { Operation } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../actor.js'
import { now } from '../clock.js'
import type { Context } from '../context.js'
import { transaction } from '../db/transaction.js'
import { Problem } from '../problem.js'
import { DAY_MS } from '../time.js'
import { keepAnswer, putKey, type RequestKey, type StoredKey } from './idempotency-queries.js'
import { openAnswer, sealAnswer } from './seal-answer.js'

const KEY_MAX = 255
export const KEPT_MS = DAY_MS

export interface Answer {
  status: number
  body: string | Buffer | null
}

/** A digest of what a request asks for. */
export function hashOf(parts: unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

const KEY_USED = 'came before with another request: a new request needs a new key'

function checkKey(key: string) {
  if (key.length > 0 && key.length <= KEY_MAX && /^[\x20-\x7e]+$/.test(key)) return
  throw new Problem(400, 'invalid', {
    key: 'Idempotency-Key',
    value: key.slice(0, KEY_MAX),
    message: `must have 1 to ${KEY_MAX} printable ASCII characters`,
  })
}

/** The key of a request whose handler keeps it with its own rows. */
export interface OwnKey {
  request_token_id: number | null
  request_key: string | null
  request_hash: Buffer | null
}

/** Reads the key of a request, to be stored with what it makes; nulls where none was sent. */
export function ownKeyOf(actor: Pick<Actor, 'token_id'>, request: FastifyRequest, body: unknown): OwnKey {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string') return { request_token_id: null, request_key: null, request_hash: null }
  checkKey(key)
  const request_hash = hashOf([request.params, request.url, body ?? null])
  return { request_token_id: actor.token_id, request_key: key, request_hash }
}

/** Refuses a key that came before with another body. */
export function ensureSameRequest(known: OwnKey, given: OwnKey) {
  if (known.request_hash && given.request_hash && known.request_hash.equals(given.request_hash)) return
  throw new Problem(409, 'already_exists', {
    key: 'Idempotency-Key',
    value: given.request_key,
    message: KEY_USED,
  })
}

/** The key of a request, checked. */
export function requestKey(
  token_id: number,
  operation: Operation,
  key: string,
  input: unknown[],
): RequestKey {
  checkKey(key)
  return { token_id, operation: operation.id, key, body_hash: hashOf(input) }
}

/** A message that a request with the same key wrote before. */
export interface Written {
  message_id: number
  created_at: Date
}

interface Once {
  named: RequestKey
  /** The token as it was presented. */
  token: string
  run: (ctx: Context) => Promise<Answer>
  /** The answer of a write that kept its key itself; null where it cannot be given again. */
  repeat: (written: Written) => Promise<string | null>
}

async function firstAnswer(operation: Operation, { named, token, repeat }: Once, stored: StoredKey) {
  const { message_id, created_at, sealed_answer } = stored
  if (message_id !== null) return repeat({ message_id, created_at })
  if (sealed_answer === null) return null
  return openAnswer({ token, operation: operation.id, key: named.key }, sealed_answer) ?? null
}

/**
 * Runs a write once for its key. The key is stored by the transaction of the write itself: a crash keeps both or
 * neither, and a second request with the key waits for the first and gets its answer.
 */
export async function once(ctx: Context, operation: Operation, call: Once): Promise<Answer> {
  const { named, token, run } = call
  return transaction(ctx, async (tx) => {
    const at = now(ctx.clock)
    const old = new Date(at.getTime() - KEPT_MS)
    const stored = await putKey(tx, { ...named, created_at: at, old })
    const taken = new Problem(409, 'already_exists', {
      key: 'Idempotency-Key',
      value: named.key,
      message: KEY_USED,
    })
    if (!stored.body_hash.equals(named.body_hash)) throw taken
    if (!stored.fresh) {
      const body = await firstAnswer(operation, call, stored)
      // Done already, but its answer cannot be given again: the token was replaced since.
      if (body === null && operation.returns.body) throw taken
      return { status: stored.status as number, body }
    }
    const answer = await run({ ...ctx, db: tx, tx })
    const holder = { token, operation: operation.id, key: named.key }
    const sealed_answer = answer.body === null ? null : sealAnswer(holder, answer.body)
    await keepAnswer(tx, named, { status: answer.status, sealed_answer })
    return answer
  })
}
