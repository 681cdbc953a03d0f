import type { ErrorCode } from './errors.js'
import { ERROR_MESSAGES } from './errors.js'

/** Who or what can change the outcome. */
export type Remedy =
  | 'change_request'
  | 'change_token'
  | 'ask_author'
  | 'ask_bot_editor'
  | 'ask_chat_admin'
  | 'ask_token_holder'
  | 'ask_workspace_admin'
  | 'ask_workspace_owner'
  | 'try_later'
  | 'none'

export interface Rule {
  /** For people, behind the text of the code. */
  sentence: string
  /** What would have to be true, in words of the API. */
  needs?: { readonly [fact: string]: unknown }
  remedy: Remedy
}

const rule = (sentence: string, remedy: Remedy, needs?: Rule['needs']): Rule => ({
  sentence,
  remedy,
  ...(needs && { needs }),
})

const MEMBER = { chat_role: ['owner', 'admin', 'editor', 'member'] }
const MANAGER = { chat_role: ['owner', 'admin'] }
const ADMINS = { role: ['owner', 'admin'] }

/** What admission judges: the token, its holder, the workspace. */
const ADMISSION = {
  'token.scope': rule('the token lacks the scope', 'change_token'),
  'token.scope_role': rule('your role may not use the scope', 'ask_workspace_admin'),
  'token.session': rule('only a login session may do this, not a token', 'none', { token_kind: 'session' }),
  'operation.role': rule('your role may not call this operation', 'ask_workspace_admin'),
  'workspace.plan': rule('the plan of the workspace does not include this', 'ask_workspace_owner'),
  'workspace.suspended': rule('the workspace is suspended', 'ask_workspace_owner'),
  'token.limits.operations': rule('the limits of the token name the operation', 'change_token'),
  'token.limits.chat_ids': rule('the operation can be kept to the chats of the token', 'change_token'),
  'token.limits.read_only': rule('the token may write', 'change_token', { read_only: false }),
  'token.limits.dry_run_only': rule('the write is a dry run', 'change_request', { 'Parley-Dry-Run': 'true' }),
  'token.limits.writes_per_day': rule('the token has writes left today', 'try_later'),
  'token.limits.approval': rule('a person approved this request', 'ask_token_holder'),
  'token.limits.narrow': rule('limits of a token only become narrower', 'change_token'),
  'person.active': rule('the holder of the token is suspended or a guest of one chat', 'ask_workspace_admin'),
} satisfies Record<string, Rule>

/** What the rules of the areas judge, over the object and the caller. */
const OBJECTS = {
  'chat.read.member': rule('you are not in the chat', 'ask_chat_admin', MEMBER),
  'chat.write.member': rule('you are not in the chat', 'ask_chat_admin', MEMBER),
  'chat.write.channel_role': rule(
    'in a channel its creator, admins and editors write; others write in threads',
    'ask_chat_admin',
    { chat_role: ['owner', 'admin', 'editor'] },
  ),
  'chat.write.person': rule('you may not write to this person', 'none'),
  'chat.archived': rule('the chat is archived', 'ask_chat_admin', { archived: false }),
  'chat.archive.once': rule('the chat is archived already', 'none', { archived: false }),
  'chat.group': rule('only conversations and channels have this', 'none', {
    chat_kind: ['conversation', 'channel'],
  }),
  'chat.manage': rule('the creator and the admins of the chat may', 'ask_chat_admin', MANAGER),
  'chat.pin.thread': rule('threads have no pins', 'none'),
  'chat.members.guest_adds': rule('guests add nobody', 'ask_chat_admin', {
    role: ['owner', 'admin', 'user', 'bot'],
  }),
  'chat.members.personal': rule('a personal chat has two people', 'none'),
  'chat.leave.guest': rule('guests are removed by others', 'ask_chat_admin'),
  'chat.leave.member': rule('you are not in the chat', 'none', MEMBER),
  'chat.leave.personal': rule('nobody leaves a personal chat', 'none'),
  'chat.leave.tag': rule(
    'a group tag of yours is bound to the chat: lose the tag, or have it unbound',
    'ask_chat_admin',
  ),
  'chat.creator': rule('the creator of a chat stays in it', 'none'),
  'message.system': rule('it is a system message', 'none'),
  'message.edit.author': rule('only its author edits a message', 'ask_author', { author: true }),
  'message.edit.forwarded': rule('a forwarded message stays as it was', 'none'),
  'message.edit.voice': rule('a voice message stays as it was', 'none'),
  'message.delete.others': rule(
    'the author, and the creator, admins and editors of the chat may',
    'ask_chat_admin',
    { chat_role: ['owner', 'admin', 'editor'] },
  ),
  'message.bot_fields': rule('for bots alone', 'change_request', { role: ['bot'] }),
  'file.read': rule('you may not read the message that it hangs on', 'ask_author'),
  'file.perimeter': rule(
    'it was sent from inside the secure perimeter, and your address is outside',
    'ask_workspace_owner',
  ),
  'task.read': rule('its author, its performers and members of its chat may', 'ask_author'),
  'task.change': rule('its author and its performers may', 'ask_author'),
  'task.link': rule('you are not in the chat', 'ask_chat_admin', MEMBER),
  'draft.recipient': rule('the person it is for is gone', 'change_request'),
  'bot.create': rule(
    'the workspace leaves integrations to its owner and admins',
    'ask_workspace_admin',
    ADMINS,
  ),
  'bot.edit': rule('only those who may edit the bot; see can_edit', 'ask_bot_editor', {
    bot_access: ['full', 'settings'],
  }),
  'bot.manage': rule('the creator of the bot may, and admins where can_edit says so', 'ask_bot_editor', {
    bot_access: ['full'],
  }),
  'bot.change.owners_field': rule('owners of chats do not change these fields', 'ask_bot_editor', {
    bot_access: ['full'],
  }),
  'bot.links': rule(
    'only admins of the workspace let a bot hear of links, or aim it',
    'ask_workspace_admin',
    ADMINS,
  ),
  'bot.unfurl': rule('the bot hears of no links: set the event message_link_shared', 'ask_bot_editor', {
    event: 'message_link_shared',
  }),
  'user.owner': rule('the owner of the workspace is protected', 'ask_workspace_owner'),
  'user.self': rule('nobody does this to themselves', 'none'),
  'user.delete.bot': rule('this is a bot: delete it with DELETE /bots/{id}', 'change_request'),
  'user.role.guest': rule('an employee does not become a guest', 'none'),
  'user.names': rule('the workspace leaves names to its owner and admins', 'ask_workspace_admin', ADMINS),
  'token.create': rule(
    'the workspace leaves new tokens to its owner and admins',
    'ask_workspace_admin',
    ADMINS,
  ),
  'token.own': rule('the token in the body is not that of the header', 'change_request'),
  'export.orderer': rule('only the person who ordered it', 'none'),
} satisfies Record<string, Rule>

/** What the codes say by themselves, where no rule of an object does. */
const CODES = {
  visible: rule('the object exists and you may see it', 'change_request', { exists: true, visible: true }),
  'input.missing': rule('the field is given', 'change_request'),
  'input.form': rule('the field has the form that the operation names', 'change_request'),
  'input.words': rule('the field is one of its words', 'change_request'),
  'input.length': rule('the field is within its limits', 'change_request'),
  'input.unique': rule('no other object has this value', 'change_request'),
  'input.time': rule('the time or period is possible', 'change_request'),
  'input.applies': rule('the operation applies to this object', 'change_request'),
  'request.once': rule('the request does not repeat or contradict one before', 'change_request'),
  'limit.count': rule('the object has room for more', 'none'),
  'limit.licences': rule('the workspace has licences left', 'ask_workspace_owner'),
  'limit.time': rule('the time for this has not passed', 'try_later'),
  'limit.rate': rule('fewer requests in this window', 'try_later'),
  'chat.personal': rule('the personal chat takes this', 'none'),
  'bot.add': rule('the settings of the bots let you add them', 'ask_bot_editor'),
  allowed: rule('you are allowed to do this', 'ask_workspace_admin'),
  available: rule('the service is available', 'try_later'),
} satisfies Record<string, Rule>

/** Every rule that a refusal may name. Texts and needs are the same in the reference, the clients and the answers. */
export const RULES = { ...ADMISSION, ...OBJECTS, ...CODES } satisfies Record<string, Rule>
export type RuleId = keyof typeof RULES
export const RULE_IDS = Object.keys(RULES) as RuleId[]

const OF_CODE: Record<ErrorCode, RuleId> = {
  blank: 'input.missing',
  required: 'input.missing',
  invalid: 'input.form',
  wrong_params: 'input.form',
  wrong_emoji: 'input.form',
  invalid_webhook_url: 'input.form',
  decryption_failed: 'input.form',
  inclusion: 'input.words',
  in: 'input.words',
  exclusion: 'input.words',
  use_of_system_words: 'input.words',
  too_long: 'input.length',
  min_length: 'input.length',
  max_length: 'input.length',
  taken: 'input.unique',
  already_exists: 'request.once',
  already_assigned: 'request.once',
  bot_changed_concurrently: 'request.once',
  trigger_not_found: 'visible',
  view_not_found: 'visible',
  not_found: 'visible',
  export_file_not_found: 'visible',
  message_deleted: 'visible',
  trigger_expired: 'limit.time',
  submit_expired: 'limit.time',
  timeout: 'limit.time',
  invalid_date_range: 'input.time',
  next_send_at_invalid: 'input.time',
  schedule_invalid: 'input.time',
  schedule_end_date_invalid: 'input.time',
  not_applicable: 'input.applies',
  displayed_error: 'input.applies',
  draft_type_change_forbidden: 'input.applies',
  pin_failed: 'input.applies',
  thread_message: 'input.applies',
  rate_limit: 'limit.rate',
  licenses_limit: 'limit.licences',
  user_limit: 'limit.count',
  unique_limit: 'limit.count',
  general_limit: 'limit.count',
  scheduled_messages_limit: 'limit.count',
  personal_chat: 'chat.personal',
  bot_add_denied: 'bot.add',
  single_chat_bot_occupied: 'bot.add',
  single_chat_bot_tag_denied: 'bot.add',
  self_update: 'user.self',
  owner_protected: 'user.owner',
  cannot_kick_owner: 'chat.creator',
  confidential_download_denied: 'file.perimeter',
  not_authorized: 'allowed',
  forbidden: 'allowed',
  permission_denied: 'allowed',
  access_denied: 'person.active',
  payment_required: 'workspace.suspended',
  service_unavailable: 'available',
  unhandled: 'available',
}

/** The rule behind a code, where the refusal names none itself. */
export function ruleOf(code: ErrorCode): RuleId {
  return OF_CODE[code]
}

/** Where a rule is told in the reference. */
export const docOf = (id: RuleId) => `/reference/refusals#${id}`

/** The page of the reference about refusals, as plain HTML without anything from elsewhere. */
export function refusalsPage(): string {
  const plain = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const codesOf = (id: RuleId) => Object.keys(OF_CODE).filter((code) => OF_CODE[code as ErrorCode] === id)
  const rows = RULE_IDS.map((id) => {
    const { sentence, remedy, needs }: Rule = RULES[id]
    const codes = codesOf(id).map((code) => `${code}: ${ERROR_MESSAGES[code as ErrorCode]}`)
    return `<tr id="${id}"><td><code>${id}</code></td><td>${plain(sentence)}</td><td><code>${plain(
      needs ? JSON.stringify(needs) : '',
    )}</code></td><td>${remedy}</td><td>${plain(codes.join('; '))}</td></tr>`
  })
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Refusals</title>
<style>body{font:16px/1.5 system-ui;max-width:70rem;margin:2rem auto;padding:0 1rem}td,th{padding:.3rem .8rem;text-align:left;vertical-align:top}tr:target{background:#fe9}</style>
<h1>Refusals</h1><p>Every refusal names its rule in <code>explanation.rule</code>.</p>
<table><tr><th>Rule</th><th>It says</th><th>Needs</th><th>Who can change it</th><th>Codes</th></tr>
${rows.join('\n')}</table></html>\n`
}
