import { type Delivery, deliveryErrorOf, type listDeliveries, type QueryOf } from '@parley/contract'
import { TIME } from '../platform/http/fault-text.js'
import { Problem } from '../platform/problem.js'
import { parseTime } from '../platform/time.js'
import type { AttemptRow, DeliveryFilter, DeliveryRow } from './log-queries.js'

function readTime(key: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (!time) throw new Problem(400, 'invalid', { key, value: text, message: TIME })
  return time
}

export function readFilter(query: QueryOf<typeof listDeliveries>): DeliveryFilter {
  return {
    state: query.state,
    endpoint_id: query.endpoint_id,
    replay_id: query.replay_id,
    from: readTime('created_from', query.created_from),
    to: readTime('created_to', query.created_to),
  }
}

/** The attempt that succeeded, which the delivery itself has. */
function successOf({ attempts: number, delivered_at: at, delivered_status, delivered_ms }: DeliveryRow) {
  if (at === null) return []
  return [{ number, at, status: delivered_status, duration_ms: delivered_ms ?? 0, error: null }]
}

export function presentDelivery(row: DeliveryRow, attempts: readonly AttemptRow[]): Delivery {
  const next = row.state === 'pending' && !row.paused ? row.next_attempt_at : null
  return {
    id: row.id,
    event_id: row.event_id,
    event_type: row.event_type as Delivery['event_type'],
    chat_id: row.chat_id || null,
    endpoint_id: row.endpoint_id,
    replay_id: row.replay_id || null,
    state: row.state as Delivery['state'],
    created_at: row.created_at.toISOString(),
    next_attempt_at: next?.toISOString() ?? null,
    payload: JSON.parse(row.payload),
    attempts: [...attempts, ...successOf(row)].map(({ number, at, status, duration_ms, error }) => ({
      number,
      at: at.toISOString(),
      status,
      duration_ms,
      error,
      error_code: deliveryErrorOf(error),
    })),
  }
}
