/**
 * Why records of an archive were left out or changed, by code: the sentence after the record that reports hold. `{}` stands for
 * a detail, such as the name of a kind. Clients show their own words for a code.
 */
export const IMPORT_REASONS = {
  absent: 'was asked for, and is no chat that the archive holds',
  another_nickname: 'has another nickname here',
  another_size: 'has another size than the archive says',
  another_thread: 'has the chat of another thread',
  beyond_manifest: 'has an id beyond those of the manifest',
  author_alone: 'comes as an author alone, who cannot sign in',
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
  no_mail: 'has no mail address, and cannot sign in before there is one',
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
  not_of_export: 'is not part of such an export',
  not_here: 'is of something that is not here',
  not_in_archive: 'is not in the archive',
  of_chat_or_somebody_unknown: 'is of a chat or somebody unknown',
  of_skipped_chat: 'is of a chat that was skipped',
  of_skipped_message: 'is of a message that was skipped',
  of_unknown_field: 'is of somebody or a field unknown',
  of_unknown_message: 'is of a message or somebody unknown',
  of_unknown_tag: 'is of somebody or a tag unknown',
  of_unknown_team: 'is of somebody or a team unknown',
  older_than_chat: 'is older than what its chat holds, and stands after it',
  on_removed_message: 'is on a message that was skipped or removed',
  on_skipped_message: 'is on a message that was skipped',
  on_unknown_message: 'is on a message or by somebody unknown',
  outside_time: 'is outside the asked time',
  over_10_files: 'has over 10 files and goes on in further messages',
  parts_missing: 'has parts that are not in the dump',
  personal_of_nobody: 'is a personal chat of nobody known',
  personal_used: 'is a personal chat of two who write to each other here already',
  picture_preview: 'is a preview of a picture',
  picture_unreadable: 'has a picture that cannot be read',
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

/** What a kind of source never holds, by code. */
export const IMPORT_LOST = {
  apps: "data of apps, and people's status",
  bytes: 'bytes of files that the archive does not hold',
  canvases: 'canvases and lists',
  customer_service: 'rooms of customer service, canned answers and integrations',
  drafts: 'drafts, saved items, scheduled messages and reminders',
  emoji_pictures: 'pictures of custom emoji',
  encrypted: 'texts of encrypted messages and bytes of encrypted files',
  favourites: 'favourites, drafts, saved posts and custom status',
  field_labels: 'labels of profile fields',
  files_and_threads: 'files, reactions, threads and pins',
  folders: 'folders of streams, linkifiers and filters',
  former_texts: 'former texts of edited messages',
  former_texts_and_deleted: 'former texts of edited posts, and deleted ones',
  huddles: 'huddle recordings',
  members_left: 'members who left',
  nicknames: 'nicknames of people beside their names, and their languages',
  permalinks: 'permalinks',
  permissions: 'roles and permissions beyond admin, guest, owner and moderator',
  pinned_by: 'who pinned, and when',
  playbooks: 'playbooks, boards and calls',
  posting_permissions: 'posting permissions',
  protected_history: 'who could see the history of a stream with protected history: all its members can now',
  reaction_times: 'times of reactions',
  read_marks: 'read marks and notification settings',
  roles: 'roles and schemes beyond admin and guest',
  scheduled: 'scheduled messages and saved snippets',
  secrets: 'passwords, tokens and secrets',
  stars: 'stars, mutes, followed topics and read marks',
  stars_and_favourites: 'stars, favourites and read marks',
  user_groups: 'user groups',
  voters: 'who voted in polls',
  who_administers: 'who administers the workspace and its chats',
  workflows: 'workflows',
} as const

export type ImportLostCode = keyof typeof IMPORT_LOST

/** Why an order failed, by code; the first that fits a sentence is its code. `{}` stands for a detail, mostly in English. */
export const IMPORT_FAULTS = {
  another_import: 'Import {} is not finished: run it again or undo it first.',
  not_finished: 'Import {} is not finished.',
  no_import: 'There is no import {}.',
  being_imported: 'Another process is importing: wait for its end.',
  archive_gone: 'The archive is not in the folder of imports any more.',
  upload_gone: 'The upload is not there any more.',
  used_since: 'Somebody has written since in {}.',
  retrying: 'It failed and will be tried again: the log of the server says why.',
  given_up: 'It failed: the log of the server says why.',
  no_archive:
    'The archive cannot be imported: {} is neither a ZIP, a tar, an archive of mongodump nor a folder.',
  no_export:
    'The archive cannot be imported: {} is none of the exports that can be imported (Slack, Mattermost, Zulip, Rocket.Chat).',
  not_readable: 'The archive cannot be imported: {} is not there or cannot be read.',
  imported_whole: 'The archive cannot be imported: a portable file is imported whole, without {}.',
  not_signed: 'The archive cannot be imported: only a portable file is signed.',
  not_whole: 'The archive cannot be imported: the file is not whole: {}.',
  damaged: 'The archive cannot be imported: the archive is damaged: {}.',
  too_many_entries: 'The archive cannot be imported: the archive has over {} entries.',
  too_large:
    'The archive cannot be imported: the archive unpacks to over {} bytes, more than there is room for.',
  refused: 'The archive cannot be imported: {}.',
} as const

export type ImportFaultCode = keyof typeof IMPORT_FAULTS

export interface Told<C extends string> {
  /** Null for a sentence that no code tells. */
  code: C | null
  detail: string | null
}

/** Finds the code of a sentence, and its detail where it has one. */
function codesOf<C extends string>(table: Readonly<Record<C, string>>): (sentence: string) => Told<C> {
  const codes = Object.keys(table) as C[]
  const whole = new Map<string, C>(codes.map((code) => [table[code], code]))
  const detailed = codes.flatMap((code) => {
    const [before = '', after] = table[code].split('{}')
    return after === undefined ? [] : [{ code, before, after }]
  })
  return (sentence) => {
    const code = whole.get(sentence)
    if (code) return { code, detail: null }
    const found = detailed.find(
      ({ before, after }) =>
        sentence.length >= before.length + after.length &&
        sentence.startsWith(before) &&
        sentence.endsWith(after),
    )
    if (!found) return { code: null, detail: null }
    return {
      code: found.code,
      detail: sentence.slice(found.before.length, sentence.length - found.after.length),
    }
  }
}

/** The code of a reason; none for such as what a line of a portable file breaks. */
export const importReasonOf = codesOf(IMPORT_REASONS)
export const importLostOf = codesOf(IMPORT_LOST)
export const importFaultOf = codesOf(IMPORT_FAULTS)
