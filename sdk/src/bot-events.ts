import type {
  BotEventName,
  ButtonWebhookPayload,
  ChatMemberWebhookPayload,
  CompanyMemberWebhookPayload,
  LinkSharedWebhookPayload,
  MessageWebhookPayload,
  ReactionWebhookPayload,
  VideoCallWebhookPayload,
  ViewSubmitWebhookPayload,
} from './generated/types.js'

/** What a bot can listen for, and what it is sent. */
export interface BotEvents {
  /** A new message that is no command. */
  message: MessageWebhookPayload
  /** A new message that begins with `/` and a word. */
  command: MessageWebhookPayload
  message_update: MessageWebhookPayload
  message_delete: MessageWebhookPayload
  /** A press of a button. */
  button: ButtonWebhookPayload
  /** A form that was sent. */
  form: ViewSubmitWebhookPayload
  /** A link on a watched domain. */
  link: LinkSharedWebhookPayload
  reaction_new: ReactionWebhookPayload
  reaction_delete: ReactionWebhookPayload
  chat_member_add: ChatMemberWebhookPayload
  chat_member_remove: ChatMemberWebhookPayload
  company_member_invite: CompanyMemberWebhookPayload
  company_member_confirm: CompanyMemberWebhookPayload
  company_member_update: CompanyMemberWebhookPayload
  company_member_suspend: CompanyMemberWebhookPayload
  company_member_activate: CompanyMemberWebhookPayload
  company_member_delete: CompanyMemberWebhookPayload
  video_call_started: VideoCallWebhookPayload
  video_call_finished: VideoCallWebhookPayload
  video_call_recording_ready: VideoCallWebhookPayload
}

export type BotEventKind = keyof BotEvents

const KINDS: Record<BotEventKind, true> = {
  message: true,
  command: true,
  message_update: true,
  message_delete: true,
  button: true,
  form: true,
  link: true,
  reaction_new: true,
  reaction_delete: true,
  chat_member_add: true,
  chat_member_remove: true,
  company_member_invite: true,
  company_member_confirm: true,
  company_member_update: true,
  company_member_suspend: true,
  company_member_activate: true,
  company_member_delete: true,
  video_call_started: true,
  video_call_finished: true,
  video_call_recording_ready: true,
}
/** The same by name, for programs without types. */
export const BOT_EVENTS = Object.keys(KINDS)

export type BotEvent = BotEvents[BotEventKind]

/** Kinds whose handlers can be for one name alone. */
export type NamedKind = 'command' | 'button' | 'form'

/** Under another name on the wire. A form comes to its bot without being subscribed to. */
const WIRE_NAMES: Partial<Record<BotEventKind, BotEventName | null>> = {
  message: 'message_new',
  command: 'message_new',
  button: 'button_click',
  link: 'message_link_shared',
  form: null,
}

export function wireNameOf(kind: BotEventKind): BotEventName | null {
  return kind in WIRE_NAMES ? (WIRE_NAMES[kind] ?? null) : (kind as BotEventName)
}

/** The kind of a payload; undefined for one that this version does not know. */
export function kindOf(event: BotEvent): BotEventKind | undefined {
  if (event.type === 'button') return 'button'
  // The word for forms is a setting of the server.
  if (event.type === 'view_submit' || (event.type as string) === 'view') return 'form'
  if (event.type === 'message' && event.event === 'link_shared') return 'link'
  if (event.type === 'message' && event.event === 'new')
    return /^\/\w/.test(event.content) ? 'command' : 'message'
  return `${event.type}_${event.event}` as BotEventKind
}

/** What names an event of its kind, and the rest: `/approve 42`, a button with `approve:42`, a form with `approve:42`. */
export function nameOf(kind: BotEventKind, event: BotEvent): { name: string; argument: string } {
  const text =
    kind === 'command'
      ? (event as MessageWebhookPayload).content
      : kind === 'button'
        ? (event as ButtonWebhookPayload).data
        : kind === 'form'
          ? ((event as ViewSubmitWebhookPayload).callback_id ?? '')
          : ''
  const [, name = '', argument = ''] =
    (kind === 'command' ? /^(\S+)\s*(.*)$/s : /^([^:]*):?(.*)$/s).exec(text) ?? []
  return { name: kind === 'command' ? (name.split('@')[0] ?? '') : name, argument: argument.trim() }
}
