import { sql } from 'kysely'
import type { Autocommit, Tx } from '../db/index.js'

export interface StoredKey {
  body_hash: Buffer
  status: number | null
  sealed_answer: Buffer | null
  fresh: boolean
}

interface NewKey {
  token_id: number
  operation: string
  key: string
  body_hash: Buffer
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
          created_at = case when k.created_at < ${old} then excluded.created_at else k.created_at end
    returning body_hash, status, sealed_answer, status is null as fresh`.execute(tx)
  return rows[0] as StoredKey
}

export async function keepAnswer(
  tx: Tx,
  { token_id, operation, key }: Pick<NewKey, 'token_id' | 'operation' | 'key'>,
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
