/** Entries about what happened to a chat: kept as system messages or left out, as asked. */
const SYSTEM = new Set([
  ...['join', 'leave', 'topic', 'purpose', 'name', 'archive', 'unarchive', 'convert_to_private'].flatMap(
    (verb) => [`channel_${verb}`, `group_${verb}`],
  ),
  'pinned_item',
  'unpinned_item',
  'bot_add',
  'bot_remove',
  'channel_posting_permissions',
  'app_conversation_leave',
  'joiner_notification',
  'huddle_thread',
  'sh_room_created',
  'reminder_add',
  'channel_canvas_updated',
  'tabbed_canvas_updated',
])

/** Entries about other entries. */
const NOT_MESSAGES = new Set(['message_changed', 'message_deleted', 'message_replied', 'slackbot_response'])

export type Treatment = 'message' | 'system' | 'removed' | 'skip'

/** What an entry becomes; an unknown subtype is a message where it says something. */
export function treatmentOf(subtype: string | null, says: boolean): Treatment {
  if (subtype === null) return 'message'
  if (subtype === 'tombstone') return 'removed'
  if (SYSTEM.has(subtype)) return 'system'
  if (NOT_MESSAGES.has(subtype)) return 'skip'
  return says ? 'message' : 'skip'
}
