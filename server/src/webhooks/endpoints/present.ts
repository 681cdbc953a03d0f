import type { Endpoint } from '@parley/contract'
import type { EndpointRow } from './queries.js'

export function presentEndpoint(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events as Endpoint['events'],
    chat_ids: row.chat_ids,
    trigger: row.trigger as Endpoint['trigger'],
    header_names: row.header_names,
    signature: row.signature as Endpoint['signature'],
    public_key: row.public_key,
    disabled: row.disabled,
    paused_at: row.paused_at?.toISOString() ?? null,
    failures: row.failures,
    created_at: row.created_at.toISOString(),
  }
}
