import type { Chat } from '@parley/contract'
import type { ChatDetail } from './detail-queries.js'
import type { ChatRow } from './queries.js'

function nameFor(row: ChatRow, detail: ChatDetail | undefined): string {
  if (row.kind === 'personal') return detail?.other_name?.slice(0, 255) ?? ''
  if (row.kind === 'thread') return `Thread ${detail?.detail_thread_id ?? ''}`
  return row.name
}

/**
 * A chat as the reader of its details sees it: a personal chat has the name of the other side. `{room}` in the pattern
 * stands for the video room.
 */
export function presentChat(meet_pattern: string, row: ChatRow, detail: ChatDetail | undefined): Chat {
  return {
    id: row.id,
    name: nameFor(row, detail),
    description: row.description,
    created_at: row.created_at.toISOString(),
    owner_id: row.owner_id,
    member_ids: detail?.member_ids ?? [],
    group_tag_ids: detail?.group_tag_ids ?? [],
    channel: row.kind === 'channel',
    archived: row.archived_at !== null,
    personal: row.kind === 'personal',
    public: row.kind === 'thread' ? (detail?.detail_public ?? false) : row.public,
    last_message_at: row.last_message_at.toISOString(),
    meet_room_url: meet_pattern.replaceAll('{room}', () => row.meet_slug),
  }
}
