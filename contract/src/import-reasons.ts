/**
 * Why records of an archive were left out or changed, by code: the sentence after the record that reports hold. `{}` stands for
 * a detail, such as the name of a kind. Clients show their own words for a code.
 */
export const IMPORT_REASONS = {
  another_size: 'has another size than the archive says',
  another_thread: 'has the chat of another thread',
  beyond_manifest: 'has an id beyond those of the manifest',
  bot: 'is a bot',
  called_here: 'is called {} here',
  chat_skipped: 'is in a chat that was skipped',
  closed_here: 'was open to its team, and is closed here',
  counted_only: 'is counted but not named',
  customer_service: 'is a room of customer service',
  cut: 'is cut at 768 characters',
  damaged: 'is damaged',
  deleted: 'was deleted',
  discussion: 'is a discussion, and becomes a thread',
  encrypted: 'is encrypted',
  fetch_failed: 'could not be fetched',
  fetch_in_parts: 'cannot be fetched in parts',
  fetch_not_allowed: 'lies at an address that is not allowed',
  fetch_other_size: 'has another size where it was fetched from',
  fetch_redirected: 'is answered with another address',
  fetch_sign_in: 'is answered with a page to sign in',
  former_member: 'is a former member',
  former_version: 'is a former version of an edited message',
  forwarded_from_nowhere: 'was forwarded from a message that is not here',
  from_the_future: 'has a time in the future, and takes that of the import',
  gone: 'is gone',
  hidden: 'is hidden',
  hidden_by_plan: 'was hidden by the plan',
  id_too_long: 'has an id that is too long',
  in_unknown_room: 'is in a room that is not in the archive',
  kind_skipped: 'is of the kind {}',
  lies_elsewhere: 'lies in another service',
  links_to_old_host: 'links to the old host, to what is not here yet',
  mail_of_another: 'has the mail address of somebody else',
  mapped_to_nobody: 'is mapped to nobody here',
  marks_lost: 'has marks that cannot be written',
  names_nobody: 'names nobody',
  no_author: 'has no author',
  no_bytes: 'has no bytes in the portable file',
  no_emoji: 'is no emoji that exists here',
  no_chat_member: 'is no member of the chat',
  no_id: 'has no id',
  no_id_time_or_chat: 'has no id, time or chat',
  no_members: 'has no members',
  no_name: 'has no name',
  no_object: 'is no object',
  no_pin: 'is no pin of a message',
  no_time: 'has no time',
  nobody_known: 'is nobody known',
  by_nobody: 'is by nobody known',
  by_renamed: 'is by somebody who was renamed or removed',
  by_unknown: 'is by somebody unknown',
  not_accessible: 'is not accessible',
  not_asked_for: 'was not asked for',
  not_here: 'is of something that is not here',
  not_in_archive: 'is not in the archive',
  of_chat_or_somebody_unknown: 'is of a chat or somebody unknown',
  of_skipped_chat: 'is of a chat that was skipped',
  of_skipped_message: 'is of a message that was skipped',
  of_unknown_field: 'is of somebody or a field unknown',
  of_unknown_message: 'is of a message or somebody unknown',
  of_unknown_tag: 'is of somebody or a tag unknown',
  of_unknown_team: 'is of somebody or a team unknown',
  on_removed_message: 'is on a message that was skipped or removed',
  on_skipped_message: 'is on a message that was skipped',
  on_unknown_message: 'is on a message or by somebody unknown',
  outside_time: 'is outside the asked time',
  over_10_files: 'has over 10 files and goes on in further messages',
  parts_missing: 'has parts that are not in the dump',
  personal_of_nobody: 'is a personal chat of nobody known',
  personal_used: 'is a personal chat of two who write to each other here already',
  picture_preview: 'is a preview of a picture',
  post_to_nobody: 'is a direct post to nobody',
  refused: 'is refused',
  replies_to_missing: 'replies to a message that is missing, and stands in the chat',
  says_nothing: 'says nothing',
  setting_here: 'is a setting that this workspace has',
  store_missing: 'lies in a store that is not in the archive',
  system_message: 'is a system message',
  time_taken: 'has no time, and takes that of the message before it',
  to_or_by_unknown: 'is to or by somebody unknown, or no draft',
  too_large: 'is larger than a file may be',
  too_long: 'is too long and goes on in further messages',
  too_many_reactions: 'is one too many: {}',
  twice: 'is there twice',
  unknown_folder: 'is a folder of no known chat',
  unknown_kind: 'is of the unknown kind {}',
  unknown_room: 'is a room of an unknown kind',
  unknown_to_version: 'is not known to this version',
  chat_not_asked_for: 'is in a chat that was not asked for',
  unreadable: 'cannot be read: {}',
  unreadable_file: 'cannot be read',
  unreadable_line: 'is a line that cannot be read',
  upload_unfinished: 'was never uploaded whole',
} as const

export type ImportReasonCode = keyof typeof IMPORT_REASONS

const CODES = Object.keys(IMPORT_REASONS) as ImportReasonCode[]
const WHOLE = new Map<string, ImportReasonCode>(CODES.map((code) => [IMPORT_REASONS[code], code]))
const DETAILED = CODES.filter((code) => IMPORT_REASONS[code].includes('{}')).map((code) => {
  const [before = '', after = ''] = IMPORT_REASONS[code].split('{}')
  return { code, before, after }
})

export interface ImportReason {
  /** Null for what no code tells, such as what a line of a portable file breaks. */
  code: ImportReasonCode | null
  detail: string | null
}

/** The code of a reason, and its detail where it has one. */
export function importReasonOf(reason: string): ImportReason {
  const code = WHOLE.get(reason)
  if (code) return { code, detail: null }
  const found = DETAILED.find(({ before, after }) => reason.startsWith(before) && reason.endsWith(after))
  if (!found) return { code: null, detail: null }
  return { code: found.code, detail: reason.slice(found.before.length, reason.length - found.after.length) }
}
