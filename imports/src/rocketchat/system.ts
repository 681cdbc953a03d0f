import { filled, type JsonObject } from '../json.js'
import { paragraph, plain, type RichInline, type RichText } from '../text/rich-text.js'

export type Treatment = 'message' | 'system' | 'removed' | 'encrypted' | 'skip'

/** What happened, in the words after the name of whoever did it; `…` stands for the text of the message. */
const LINES = new Map(
  Object.entries({
    uj: 'joined the chat',
    ujt: 'joined the team',
    ul: 'left the chat',
    ult: 'left the team',
    ui: 'was invited',
    uir: 'declined the invitation',
    ut: 'joined the conversation',
    au: 'added …',
    ru: 'removed …',
    'added-user-to-team': 'added … to the team',
    'removed-user-from-team': 'removed … from the team',
    r: 'renamed the chat to …',
    room_changed_topic: 'changed the topic to …',
    room_changed_description: 'changed the description to …',
    room_changed_announcement: 'changed the announcement to …',
    room_changed_privacy: 'changed the privacy to …',
    room_changed_avatar: 'changed the picture',
    'room-archived': 'archived the chat',
    'room-unarchived': 'took the chat out of the archive',
    'room-set-read-only': 'made the chat read-only',
    'room-removed-read-only': 'let everybody write',
    'room-allowed-reacting': 'allowed reactions',
    'room-disallowed-reacting': 'disallowed reactions',
    room_e2e_enabled: 'turned encryption on',
    room_e2e_disabled: 'turned encryption off',
    'subscription-role-added': 'gave … a role',
    'subscription-role-removed': 'took a role from …',
    'new-owner': 'made … an owner',
    'owner-removed': 'took the ownership from …',
    'new-moderator': 'made … a moderator',
    'moderator-removed': 'made … a moderator no more',
    'new-leader': 'made … the leader',
    'leader-removed': 'made … the leader no more',
    'user-muted': 'muted …',
    'user-unmuted': 'unmuted …',
    mute_unmute: 'muted or unmuted …',
    videoconf: 'started a call',
  }),
)

/** Kept as a line of the text that they carry. */
const PLAIN = new Set(['wm', 'command'])
/** The pin is on the message itself. */
const DROPPED = new Set(['message_pinned', 'message_pinned_e2e'])
const SERVICE = /^(livechat|omnichannel)/
const TEAM = /^user-.*-team$/

export function treatmentOf(type: string | null, says: boolean): Treatment {
  if (type === null || type === 'discussion-created') return 'message'
  if (type === 'rm') return 'removed'
  if (type === 'e2e') return 'encrypted'
  if (LINES.has(type) || PLAIN.has(type) || TEAM.test(type)) return 'system'
  if (DROPPED.has(type) || SERVICE.test(type)) return 'skip'
  return says ? 'message' : 'skip'
}

/** Whether a kind is one that the sheet of system messages does not list. */
export function isUnknown(type: string | null): boolean {
  if (type === null || type === 'rm' || type === 'e2e' || type === 'discussion-created') return false
  return !LINES.has(type) && !PLAIN.has(type) && !DROPPED.has(type) && !SERVICE.test(type) && !TEAM.test(type)
}

export function systemLine(type: string, message: JsonObject, author: RichInline): RichText {
  const text = filled(message.msg) ?? ''
  const words = LINES.get(type)
  if (words === undefined) return paragraph([plain(text === '' ? type : text)])
  return paragraph([author, plain(` ${words.replace('…', () => text)}`)])
}
