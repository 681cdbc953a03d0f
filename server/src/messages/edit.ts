import { isDeepStrictEqual } from 'node:util'
import { type ButtonRows, type MessageFileUpdateInput, messageUpdated } from '@parley/contract'
import { bumpChat } from '../chats/activity-queries.js'
import { mayRead } from '../chats/rules.js'
import { applyDlp } from '../dlp/apply.js'
import { type CheckedFile, checkFiles, replaceFiles } from '../files/attach.js'
import { listFiles } from '../files/queries.js'
import { type Actor, isBot } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import { now } from '../platform/clock.js'
import type { Context } from '../platform/context.js'
import type { Db, Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { countCharacters, lengthText } from '../platform/http/fault-text.js'
import { ensure, found, Problem } from '../platform/problem.js'
import { BOTS_ONLY, buttonFaults, contentFaults, keptButtons, labelsOf } from './check-content.js'
import { messagePayload } from './events.js'
import { rewriteEvents } from './kept-event-queries.js'
import { normaliseMentions } from './mentions.js'
import { findMessageFor, hasVoice, lockMessageFor, type MessageRow, updateMessageRow } from './queries.js'
import { mayEdit } from './rules.js'

export interface MessageChange {
  content?: string
  files?: MessageFileUpdateInput[]
  buttons?: ButtonRows
  display_name?: string
  display_avatar_url?: string
}

const DISPLAY_AT_MOST = 255

function checkChange(actor: Actor, change: MessageChange) {
  const faults = isBot(actor) ? buttonFaults(change.buttons ?? []) : []
  if (faults.length > 0) throw Problem.of(422, faults)
  for (const key of ['display_name', 'display_avatar_url'] as const) {
    const value = change[key]
    if (value === undefined) continue
    if (!isBot(actor))
      throw new Problem(403, 'not_authorized', { key, value, message: BOTS_ONLY, rule: 'message.bot_fields' })
    const length = countCharacters(value)
    if (length > DISPLAY_AT_MOST)
      throw new Problem(422, 'too_long', { key, message: lengthText(DISPLAY_AT_MOST, length) })
  }
}

/** What the row becomes; fields that were not given stay. */
function changed(actor: Actor, message: MessageRow, change: MessageChange) {
  const bot = isBot(actor)
  const { buttons, display_name, display_avatar_url } = change
  return {
    ...(bot && buttons ? { buttons: keptButtons(buttons) } : {}),
    ...(bot && display_name !== undefined ? { display_name: display_name || null } : {}),
    ...(bot && display_avatar_url !== undefined ? { display_avatar_url: display_avatar_url || null } : {}),
    content: change.content ?? message.content,
  }
}

function sameRow(message: MessageRow, next: ReturnType<typeof changed>): boolean {
  const before = message as unknown as Record<string, unknown>
  return Object.entries(next).every(([name, value]) => {
    const old = before[name]
    if (name !== 'buttons') return old === value
    // The database has its own order of the members of an object.
    return isDeepStrictEqual(old, value === null ? null : JSON.parse(value))
  })
}

async function changeFiles(
  tx: Tx,
  ctx: Context,
  actor: Actor,
  messageId: number,
  files: CheckedFile[] | undefined,
): Promise<{ count: number; moved: boolean }> {
  const before = await listFiles(tx, { message_id: messageId })
  if (!files) return { count: before.length, moved: false }
  const after = await replaceFiles(tx, ctx, actor, { message_id: messageId }, files)
  const ids = (list: { id: number }[]) => list.map(({ id }) => id).join()
  return { count: after.length, moved: ids(before) !== ids(after) }
}

type FoundMessage = NonNullable<Awaited<ReturnType<typeof findMessageFor>>>

/** Whether the message is the actor's to change: 404, 403 or, where it is deleted, 422. */
async function ensureEditable(db: Db, actor: Actor, { message, chat }: FoundMessage) {
  const { id } = message
  ensure(mayRead(actor, chat), 'read', { type: 'Message', id })
  const voice = message.has_files && (await hasVoice(db, id))
  ensure(mayEdit(actor, chat, message, voice), 'update', { type: 'Message', id })
  if (message.deleted_at) throw new Problem(422, 'message_deleted')
}

/** Changes a message of one's own. Mentions count at send time alone, so an edit invites and notifies nobody. */
export async function updateMessage(
  ctx: Context,
  actor: Actor,
  id: number,
  change: MessageChange,
): Promise<void> {
  checkChange(actor, change)
  // The message is judged first: a caller who may not change it learns nothing of the files.
  if (change.files?.length)
    await ensureEditable(ctx.db, actor, found(await findMessageFor(ctx.db, actor, id)))
  const checked = change.files && (await checkFiles(ctx, actor, change.files))
  await transaction(ctx, async (tx) => {
    const place = found(await lockMessageFor(tx, actor, id))
    await ensureEditable(tx, actor, place)
    const { message, chat } = place

    const given = await normaliseMentions(tx, actor, change.content ?? message.content)
    const labels = labelsOf(actor, { ...change, files: checked ?? [] })
    const { content, labels_blocked, records } = await applyDlp(tx, ctx, actor, chat, given, labels)
    const files = await changeFiles(tx, ctx, actor, id, labels_blocked ? [] : checked)
    const faults = contentFaults(content, files.count > 0)
    if (faults.length > 0) throw Problem.of(422, faults)
    const kept = labels_blocked ? { ...change, buttons: [], display_name: '' } : change
    const next = changed(actor, message, { ...kept, content })
    if (sameRow(message, next) && !files.moved) return
    const has_files = files.count > 0
    const row = await updateMessageRow(tx, id, { ...next, has_files, changed_at: now(ctx.clock) })
    await bumpChat(tx, chat.id)
    await rewriteEvents(tx, id, row.content)
    await emit(tx, ctx, actor, messageUpdated, messagePayload(row, chat))
    const updated = { event_key: 'message_updated', entity_type: 'Message', entity_id: id }
    await record(tx, ctx, actor, [updated, ...records(id)])
  })
}
