import { sql } from 'kysely'
import type { Autocommit, Tx } from '../db/index.js'

export interface StoredKey {
  body_hash: Buffer
  status: number | null
  sealed_answer: Buffer | null
  message_id: number | null
  created_at: Date
  fresh: boolean
}

/** What identifies a request: its caller, its key, and what it asks for. */
export interface RequestKey {
  token_id: number
  operation: string
  key: string
  body_hash: Buffer
}

interface NewKey extends RequestKey {
  created_at: Date
  /** A key stored before this has expired and can be used again. */
  old: Date
}

/** Stores a key; where it is there already, another transaction that stores it is waited for. */
export async function putKey(tx: Tx, { token_id, operation, key, body_hash, created_at, old }: NewKey) {
  const { rows } = await sql<StoredKey>`
    insert into idempotency_keys as k (token_id, operation, key, body_hash, created_at)
    values (${token_id}, ${operation}, ${key}, ${body_hash}, ${created_at})
    on conflict (token_id, operation, key) do update
      set body_hash = case when k.created_at < ${old} then excluded.body_hash else k.body_hash end,
          status = case when k.created_at < ${old} then null else k.status end,
          message_id = case when k.created_at < ${old} then null else k.message_id end,
          created_at = case when k.created_at < ${old} then excluded.created_at else k.created_at end
    returning body_hash, status, sealed_answer, message_id, created_at, status is null as fresh`.execute(tx)
  return rows[0] as StoredKey
}

/**
 * Whether no request came with a key of a token. Each key is looked up by itself: a join that was planned while the table was empty
 * would read all of it.
 */
export const isNewKeySql = (operation: string, tokenId: string, key: string) =>
  `(select true from idempotency_keys k where k.token_id = ${tokenId} and k.operation = '${operation}' and k.key = ${key} limit 1) is null`

/**
 * Stores keys together with the messages that their requests write. `written` selects token_id, key, body_hash and id (of the
 * message). It fails where a key was stored meanwhile: nothing is written then.
 */
export function insertKeysSql(
  operation: { id: string; status: number },
  written: string,
  at: string,
): string {
  return `insert into idempotency_keys (token_id, operation, key, body_hash, status, message_id, created_at)
    select token_id, '${operation.id}', key, body_hash, ${operation.status}, id, ${at} from (${written}) w order by token_id, key`
}

/** Whether a statement failed because a key was stored meanwhile. */
export function isKeyStored(error: unknown): boolean {
  return (error as { constraint?: string }).constraint === 'idempotency_keys_pkey'
}

export async function keepAnswer(
  tx: Tx,
  { token_id, operation, key }: RequestKey,
  answer: { status: number; sealed_answer: Buffer | null },
) {
  await tx
    .updateTable('idempotency_keys')
    .set(answer)
    .where('token_id', '=', token_id)
    .where('operation', '=', operation)
    .where('key', '=', key)
    .execute()
}

export async function deleteOldKeys(db: Autocommit, before: Date) {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', before).execute()
}
