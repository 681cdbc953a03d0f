import { type Remark, remark } from '@parley/imports'
import { listLastTimes } from '../chats/import-queries.js'
import type { Tx } from '../platform/db/index.js'

interface Placed {
  chat_id: number
  row: { source_id: string; at: number }
  first: boolean
}

/** Lists go by id, and ids grow: what is older than the messages that a chat has already stands after them. */
export async function tellLate(tx: Tx, pieces: readonly Placed[], remarks: Remark[]) {
  const times = await listLastTimes(tx, [...new Set(pieces.map(({ chat_id }) => chat_id))])
  for (const { chat_id, row, first } of pieces)
    if (first && row.at < (times.get(chat_id) ?? 0))
      remarks.push(
        remark('warning', 'message', 'is older than what its chat holds, and stands after it', row.source_id),
      )
}
