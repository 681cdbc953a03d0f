import type { Message, ShownLinkPreview, TimelineFile, TimelineMessage } from '@parley/contract'
import { otherSide } from '../chats/personal.js'
import { previewUrlOf } from '../files/preview.js'
import { presentMessages } from '../messages/message-sql.js'
import type { Context } from '../platform/context.js'
import { presentPreview } from '../previews/present.js'
import { type AroundRow, listAround, type OwnFacts } from './shared-queries.js'

/** A message as it is for everybody, to be finished for each viewer. Where one person reads, `page.ts` gives the same by one statement. */
export interface SharedMessage {
  message: Message
  around: AroundRow
  files: TimelineFile[]
  previews: ShownLinkPreview[]
}

/** These messages, read once for all viewers; ids that name nothing are left out. */
export async function readShared(
  ctx: Context,
  viewerId: number,
  ids: readonly number[],
): Promise<Map<number, SharedMessage>> {
  const reading = presentMessages(ctx, viewerId, ids)
  // A transaction has one connection, which takes one statement at a time.
  if (ctx.tx) await reading
  const [messages, rows] = await Promise.all([reading, listAround(ctx.db, ids)])
  const around = new Map(rows.map((row) => [row.id, row]))
  const shared = new Map<number, SharedMessage>()
  for (const message of messages) {
    const row = around.get(message.id)
    if (!row) continue
    const previews = await Promise.all((row.previews ?? []).map((preview) => presentPreview(ctx, preview)))
    const files = message.files.map((file) => ({ ...file, preview_url: previewUrlOf(ctx, file) }))
    shared.set(message.id, { message, around: row, files, previews })
  }
  return shared
}

function presentThread({ around }: SharedMessage, facts: OwnFacts, key: string): TimelineMessage['thread'] {
  if (!around.thread) return null
  const unread = facts.following.get(key)
  return {
    ...around.thread,
    following: unread !== undefined,
    unread_count: unread ?? 0,
  }
}

/** The message as this viewer sees it. */
export function presentFor(shared: SharedMessage, facts: OwnFacts, viewerId: number): TimelineMessage {
  const { message, around, files, previews } = shared
  const key = `${message.id}:${viewerId}`
  return {
    ...message,
    ...(around.personal_key ? { entity_id: otherSide(around, viewerId) } : {}),
    files,
    thread: presentThread(shared, facts, key),
    reactions: (around.reactions ?? []).map(({ emoji, ...group }) => ({
      ...group,
      mine: facts.mine.has(`${key}:${emoji}`),
    })),
    link_previews: previews,
    pinned: around.pinned,
    mentioned: facts.mentioned.has(key),
    quoted: around.quoted,
    system_event: around.system_event,
    edited: around.edited,
  }
}
