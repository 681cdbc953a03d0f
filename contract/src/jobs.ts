import { type Static, type TObject, Type } from 'typebox'
import { Enum, Id, Timestamp } from './shapes.js'

/** A kind of background job: the code that enqueues it and the code that runs it read this one value. */
export interface JobKind<K extends string = string, P extends TObject = TObject> {
  /** `area.verb` */
  kind: K
  /** Ids, not contents: a job reads what it needs when it runs. */
  payload: P
  summary: string
}

export type JobPayload<J extends JobKind> = Static<J['payload']>

export function job<const K extends string, P extends TObject>(
  kind: K,
  payload: P,
  summary: string,
): JobKind<K, P> {
  return { kind, payload, summary }
}

const nothing = Type.Object({})
const plan = Enum(['corporation', 'standard'])
const role = Enum(['owner', 'admin', 'user', 'multi_guest', 'bot'])
const aboutBot = Type.Object({ bot_id: Id })
const aboutExport = Type.Object({ export_id: Id })

export const mailInviteJob = job(
  'users.mail_invite',
  Type.Object({ user_id: Id, nonce: Type.String(), inviter_id: Type.Optional(Id) }),
  'Mails an invitation, in the language of who invites.',
)
export const mailPasswordResetJob = job(
  'accounts.mail_password_reset',
  Type.Object({ email: Type.String() }),
  'Mails a link for a new password, where the address is known.',
)
export const dropAvatarJob = job(
  'users.drop_avatar',
  Type.Object({ name: Type.String() }),
  'Deletes a picture that nobody has any more.',
)
export const sendPushJob = job(
  'notifications.push',
  Type.Object({ subscription_id: Id, message_id: Id }),
  'Sends a push about a message to a browser, unless it was read meanwhile.',
)
export const closePushJob = job(
  'notifications.close',
  Type.Object({ subscription_id: Id, chat_id: Id, message_id: Id }),
  'Takes a notification away in a browser, since it was read elsewhere or deleted.',
)
export const sendNoticePushJob = job(
  'notifications.push_notice',
  Type.Object({ subscription_id: Id, notice_id: Id }),
  'Sends a push about a notice to a browser, unless it was read meanwhile.',
)
export const closeNoticesJob = job(
  'notifications.close_notices',
  Type.Object({ subscription_id: Id, notice_ids: Type.Array(Id) }),
  'Takes notices away in a browser, since they were read elsewhere.',
)
export const mailDigestJob = job(
  'notifications.mail_digest',
  Type.Object({ user_id: Id }),
  'Mails a person who is away what is unread.',
)
export const releaseMembersJob = job(
  'members.release',
  Type.Object({ chat_id: Id, tag_id: Id, actor_id: Id, role, plan }),
  'Removes the people of an unbound tag from a chat.',
)
export const keepMembersJob = job(
  'members.keep',
  Type.Object({ tag_id: Id, chat_ids: Type.Array(Id) }),
  'Keeps the people of a deleted tag in its chats.',
)
export const archiveMembershipsJob = job(
  'members.shelve',
  Type.Object({ chat_id: Id }),
  'Moves an archived chat to the archive in every member’s list.',
)
export const leaveAgainJob = job(
  'members.leave',
  Type.Object({ user_id: Id, actor_id: Id, role, plan }),
  'Takes out a deleted person of what they joined while they were deleted.',
)
export const recountMembersJob = job(
  'members.recount',
  Type.Object({ user_id: Id }),
  'Counts the members of the chats of somebody who was suspended or is back.',
)
export const inviteMentionedJob = job(
  'threads.invite_mentioned',
  Type.Object({ thread_id: Id, actor_id: Id, plan }),
  'Adds the people that a parent message mentions to the thread under it.',
)
export const makePreviewJob = job(
  'previews.make',
  Type.Object({ message_id: Id }),
  'Fetches the first link of a message and makes its preview.',
)
export const transcribeJob = job(
  'messages.transcribe',
  Type.Object({ message_id: Id }),
  'Asks the transcription server for the text of a voice message.',
)
export const eraseFilesJob = job(
  'files.erase',
  Type.Object({ keys: Type.Array(Type.String()) }),
  'Deletes stored objects that no file uses.',
)
export const forgetDraftsJob = job('drafts.forget', nothing, 'Deletes the drafts of deleted people.')
export const remindJob = job(
  'tasks.remind',
  Type.Object({ task_id: Id, remind_at: Timestamp }),
  'Reminds the performers of a task.',
)
export const moveMorningsJob = job(
  'tasks.move_mornings',
  Type.Object({ after: Type.Optional(Id) }),
  'Moves the reminders of whole-day tasks to another time zone.',
)
export const postInboundJob = job('webhooks.post_inbound', aboutBot, 'Posts the inbound texts of a bot.')
export const redeliverJob = job(
  'webhooks.redeliver',
  Type.Object({
    bot_id: Id,
    from: Timestamp,
    to: Timestamp,
    states: Type.Array(Type.String()),
    after: Type.Integer({ description: 'Deliveries up to this one are done.' }),
  }),
  'Sends the deliveries of a time range again.',
)
export const mailEditorJob = job(
  'webhooks.mail_editor',
  Type.Object({
    user_id: Id,
    bot_id: Id,
    kind: Enum(['webhook_paused', 'webhook_disabled']),
    endpoint: Type.Optional(Type.String()),
  }),
  'Mails a person who may edit a bot that its webhook stopped.',
)
export const replayJob = job(
  'webhooks.replay',
  Type.Object({ replay_id: Id }),
  'Takes the next events of a replay.',
)
export const forgetBotJob = job('webhooks.forget_bot', aboutBot, 'Deletes what is kept for a deleted bot.')
export const runImportJob = job(
  'imports.run',
  Type.Object({ order_id: Id }),
  'Checks, runs or undoes an import.',
)
export const buildExportJob = job('exports.build', aboutExport, 'Builds an export.')
export const mailExportJob = job('exports.mail', aboutExport, 'Mails that an export is ready or failed.')
export const notifyExportJob = job(
  'exports.notify',
  Type.Object({ export_id: Id, attempt: Type.Integer() }),
  'Posts that an export is ready to the address of its order.',
)

const recurring = <const K extends string>(kind: K, summary: string) => job(kind, nothing, summary)

export const sweepPlatformJob = recurring('platform.sweep', 'Deletes old idempotency keys and events.')
export const sweepCodesJob = recurring('oauth.sweep', 'Deletes expired authorization and device codes.')
export const sweepSessionsJob = recurring(
  'accounts.sweep_sessions',
  'Deletes sessions and password links that have ended.',
)
export const sweepNoticesJob = recurring('users.sweep', 'Deletes old notices.')
export const planDigestsJob = recurring('notifications.plan_digests', 'Finds who is due a mail digest.')
export const sweepObjectsJob = recurring('files.sweep', 'Deletes stored objects whose time has come.')
export const sweepFormsJob = recurring('forms.sweep', 'Deletes old triggers and forms.')
export const sweepDeliveriesJob = recurring(
  'webhooks.forget_old',
  'Deletes old deliveries and queue entries.',
)
export const sweepMessagesJob = recurring('retention.sweep', 'Deletes messages past their retention.')
export const sweepRefusalsJob = recurring('refusals.sweep', 'Deletes refusals of the week before.')
export const sweepAuditJob = recurring('audit.sweep', 'Deletes audit events past their retention.')
export const forgetChangesJob = recurring(
  'search.forget_changes',
  'Takes changes of messages out of the list that tells processes what they kept of searches is old.',
)
export const forgetWordsJob = recurring(
  'search.forget_words',
  'Takes words out of the list of words that no message has any more.',
)

/** Every kind of job: those that an action leaves, then those that come back by themselves. */
export const JOBS = [
  mailInviteJob,
  mailPasswordResetJob,
  dropAvatarJob,
  sendPushJob,
  closePushJob,
  sendNoticePushJob,
  closeNoticesJob,
  mailDigestJob,
  releaseMembersJob,
  keepMembersJob,
  leaveAgainJob,
  recountMembersJob,
  archiveMembershipsJob,
  inviteMentionedJob,
  makePreviewJob,
  transcribeJob,
  eraseFilesJob,
  forgetDraftsJob,
  remindJob,
  moveMorningsJob,
  postInboundJob,
  redeliverJob,
  replayJob,
  mailEditorJob,
  forgetBotJob,
  runImportJob,
  buildExportJob,
  mailExportJob,
  notifyExportJob,
  sweepPlatformJob,
  sweepCodesJob,
  sweepSessionsJob,
  sweepNoticesJob,
  planDigestsJob,
  sweepObjectsJob,
  sweepFormsJob,
  sweepDeliveriesJob,
  sweepMessagesJob,
  sweepRefusalsJob,
  sweepAuditJob,
  forgetChangesJob,
  forgetWordsJob,
] as const

export type AnyJob = (typeof JOBS)[number]
