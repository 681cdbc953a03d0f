import type { Chat } from '@parley/contract'
import { otherSide } from './personal.js'
import type { ChatRow } from './queries.js'

/** What hangs on the chats of a page. */
export interface ChatDetails {
  /** Where video rooms are, with `{room}` in it. */
  meet_pattern: string
  rosters: Map<number, number[]>
  tags: Map<number, number[]>
  threads: Map<number, { thread_id: number; public: boolean | null }>
  /** Names of the other sides of personal chats. */
  names: Map<number, string>
}

function nameFor(details: ChatDetails, row: ChatRow, userId: number): string {
  if (row.kind === 'personal') return details.names.get(otherSide(row, userId))?.slice(0, 255) ?? ''
  if (row.kind === 'thread') return `Thread ${details.threads.get(row.id)?.thread_id ?? ''}`
  return row.name
}

/** A chat as this person sees it: a personal chat has the name of the other side. */
export function presentChat(details: ChatDetails, row: ChatRow, userId: number): Chat {
  return {
    id: row.id,
    name: nameFor(details, row, userId),
    description: row.description,
    created_at: row.created_at.toISOString(),
    owner_id: row.owner_id,
    member_ids: details.rosters.get(row.id) ?? [],
    group_tag_ids: details.tags.get(row.id) ?? [],
    channel: row.kind === 'channel',
    archived: row.archived_at !== null,
    personal: row.kind === 'personal',
    public: row.kind === 'thread' ? (details.threads.get(row.id)?.public ?? false) : row.public,
    last_message_at: row.last_message_at.toISOString(),
    meet_room_url: details.meet_pattern.replaceAll('{room}', () => row.meet_slug),
  }
}
