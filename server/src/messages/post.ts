import {
  type ButtonRows,
  type Message,
  type MessageEntityType,
  type MessageFileInput,
  messageCreated,
} from '@parley/contract'
import { advancePointer, touchChat } from '../chats/activity-queries.js'
import type { ChatFor } from '../chats/queries.js'
import { updateThreadActivity } from '../chats/thread-queries.js'
import { applyDlp } from '../dlp/apply.js'
import { attachFiles, type CheckedFile, checkFiles } from '../files/attach.js'
import type { Actor } from '../platform/actor.js'
import { isBot } from '../platform/actor.js'
import { record, recordMessage } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { AutocommitPool, Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { Problem } from '../platform/problem.js'
import { BOTS_ONLY, buttonFaults, contentFaults, keptButtons, labelsOf } from './check-content.js'
import { messagePayload } from './events.js'
import { joinThread } from './join-thread.js'
import { findMentioned, normaliseMentions, writeMentions } from './mentions.js'
import { presentMessages } from './message-sql.js'
import { findMessage, insertMessage, type MessageRow } from './queries.js'
import { OverQuota, refuseOverQuota, takeQuota } from './quota.js'
import { removeSentDraft } from './sent-draft.js'
import { findTarget, openTarget, rootOf } from './target.js'

export interface NewMessage {
  entity_type?: MessageEntityType
  entity_id: number
  content?: string
  files?: MessageFileInput[]
  buttons?: ButtonRows
  parent_message_id?: number | null
  display_name?: string | null
  display_avatar_url?: string | null
  skip_invite_mentions?: boolean
  link_preview?: boolean
  /** Own draft that goes with the sending. */
  draft_id?: number
  /** The Idempotency-Key of the request, by which the sender's other tabs know their own message. */
  client_key?: string
}

export interface PostOptions {
  /** The caller's own transaction, where one is open. */
  tx?: Tx
  /**
   * Where given, the message counts for the daily quota: only what callers send themselves does. A refusal is written
   * through this pool, while the transaction of the message may still hold a connection of the usual one.
   */
  quota?: AutocommitPool
}

/** Sends a message to a chat, a thread or a person, and gives it as its author sees it. */
export async function postMessage(
  ctx: Context,
  actor: Actor,
  input: NewMessage,
  options: PostOptions = {},
): Promise<Message> {
  checkInput(actor, input)
  const own = options.tx ? { ...ctx, db: options.tx, tx: options.tx } : ctx
  // The place is judged first: a caller who may not write there learns nothing of the files.
  if (input.files?.length) await findTarget(own.db, actor, entityNamed(input))
  const files = await checkFiles(ctx, actor, input.files)
  try {
    return await transaction(own, async (tx) => {
      const id = await writePost(tx, own, actor, { ...input, files }, options.quota !== undefined)
      const [message] = await presentMessages({ ...own, db: tx, tx }, actor.user_id, [id])
      return message as Message
    })
  } catch (error) {
    if (error instanceof OverQuota && options.quota)
      throw await refuseOverQuota(ctx, options.quota, error.sender)
    throw error
  }
}

function checkInput(actor: Actor, input: NewMessage) {
  const buttons = isBot(actor) ? (input.buttons ?? []) : []
  const faults = [
    ...contentFaults(input.content ?? '', (input.files ?? []).length > 0),
    ...buttonFaults(buttons),
  ]
  if (faults.length > 0) throw Problem.of(422, faults)
  if (isBot(actor)) return
  for (const key of ['display_name', 'display_avatar_url'] as const) {
    if (typeof input[key] === 'string')
      throw new Problem(403, 'not_authorized', {
        key,
        value: input[key],
        message: BOTS_ONLY,
        rule: 'message.bot_fields',
      })
  }
}

const entityNamed = ({
  entity_type = 'discussion',
  entity_id,
}: Pick<NewMessage, 'entity_type' | 'entity_id'>) => ({ entity_type, entity_id })

type Checked = Omit<NewMessage, 'files'> & { files: CheckedFile[] }

/** Writes a message whose parts were checked and emits its event, inside a transaction; returns its id. */
export async function writePost(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  input: Checked,
  counted: boolean,
): Promise<number> {
  const chat = await openTarget(tx, ctx, actor, entityNamed(input))
  if (typeof input.parent_message_id === 'number') await checkParent(tx, chat, input.parent_message_id)
  const sender = { user_id: actor.user_id, chat_id: rootOf(chat) }
  const quota_number = counted ? await takeQuota(tx, ctx, sender) : null
  if (counted && quota_number === null) throw new OverQuota(sender)

  const given = await normaliseMentions(tx, actor, input.content ?? '')
  const judged = await applyDlp(tx, ctx, actor, chat, given, labelsOf(actor, input))
  const { content, labels_blocked, records } = judged
  const kept = labels_blocked ? { ...input, files: [], buttons: [], display_name: null } : input
  const message = await write(tx, ctx, actor, chat, { ...kept, content, quota_number })
  await attachFiles(tx, ctx, actor, { message_id: message.id }, kept.files)
  await writeMentions(tx, ctx, message)
  const payload = messagePayload(message, chat, {
    link_preview: input.link_preview ?? false,
    ...(input.client_key === undefined ? {} : { client_key: input.client_key }),
  })
  if (chat.kind === 'thread') await enterThread(tx, ctx, actor, chat, message, input)
  await advancePointer(tx, chat.id, actor.user_id, message.id)
  await emit(tx, ctx, actor, messageCreated, payload)
  if (input.draft_id !== undefined) await removeSentDraft(tx, ctx, actor, input.draft_id)
  await recordMessage(tx, ctx, actor, message.id)
  await record(tx, ctx, actor, records(message.id))
  return message.id
}

async function write(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  chat: ChatFor,
  input: Checked & { content: string; quota_number: number | null },
): Promise<MessageRow> {
  const created_at = now(ctx.clock)
  const bot = isBot(actor)
  return insertMessage(tx, {
    ...(await touchChat(tx, chat.id, created_at)),
    chat_id: chat.id,
    root_chat_id: rootOf(chat),
    user_id: actor.user_id,
    content: input.content,
    parent_message_id: input.parent_message_id ?? null,
    buttons: bot ? keptButtons(input.buttons) : null,
    display_name: bot ? (input.display_name ?? null) : null,
    display_avatar_url: bot ? (input.display_avatar_url ?? null) : null,
    has_files: input.files.length > 0,
    quota_number: input.quota_number,
    created_at,
    changed_at: created_at,
  })
}

/** An answer goes to the chat or thread of what it answers. */
async function checkParent(tx: Tx, chat: ChatFor, parentId: number) {
  const parent = await findMessage(tx, parentId)
  const detail = { key: 'parent_message_id', value: parentId }
  if (!parent || parent.chat_id !== chat.id)
    throw new Problem(422, 'wrong_params', { ...detail, message: 'must be a message of the same chat' })
  if (parent.deleted_at) throw new Problem(422, 'message_deleted', detail)
}

/** The author of a comment is in its thread from then on, and so is everybody the comment names. */
async function enterThread(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  chat: ChatFor,
  message: MessageRow,
  input: Pick<NewMessage, 'skip_invite_mentions'>,
) {
  await updateThreadActivity(tx, chat.id, message.created_at)
  const invited = input.skip_invite_mentions ? null : await findMentioned(tx, actor, message.content)
  await joinThread(tx, ctx, actor, chat, [actor.user_id])
  const place = { id: message.id, number: message.number ?? 0 }
  if (invited) await joinThread(tx, ctx, actor, chat, [...invited.user_ids, ...invited.bot_ids], place)
}
