import { createHash } from 'node:crypto'
import type { Operation } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../actor.js'
import { now } from '../clock.js'
import type { Context } from '../context.js'
import { transaction } from '../db/transaction.js'
import { Problem } from '../problem.js'
import { DAY_MS } from '../time.js'
import { keepAnswer, putKey } from './idempotency-queries.js'
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

/**
 * Runs a write once for its key. The key is stored by the transaction of the write itself: a crash keeps both or
 * neither, and a second request with the key waits for the first and gets its answer.
 */
export async function once(
  ctx: Context,
  operation: Operation,
  call: { key: string; token: string; token_id: number; input: unknown[] },
  run: (ctx: Context) => Promise<Answer>,
): Promise<Answer> {
  checkKey(call.key)
  const body_hash = hashOf(call.input)
  return transaction(ctx, async (tx) => {
    const at = now(ctx.clock)
    const old = new Date(at.getTime() - KEPT_MS)
    const named = { token_id: call.token_id, operation: operation.id, key: call.key }
    const stored = await putKey(tx, { ...named, body_hash, created_at: at, old })
    const taken = new Problem(409, 'already_exists', {
      key: 'Idempotency-Key',
      value: call.key,
      message: KEY_USED,
    })
    if (!stored.body_hash.equals(body_hash)) throw taken
    const holder = { token: call.token, operation: operation.id, key: call.key }
    if (!stored.fresh) {
      const body = stored.sealed_answer && openAnswer(holder, stored.sealed_answer)
      // Done already, but its answer cannot be given again: the token was replaced since.
      if (body === undefined || (body === null && operation.returns.body)) throw taken
      return { status: stored.status as number, body }
    }
    const answer = await run({ ...ctx, db: tx, tx })
    const sealed_answer = answer.body === null ? null : sealAnswer(holder, answer.body)
    await keepAnswer(tx, named, { status: answer.status, sealed_answer })
    return answer
  })
}
