import { findChatFor } from '../chats/queries.js'
import { applyDlpToTask } from '../dlp/apply.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'

/** Holds the text of a task against the DLP rules of the chat that it hangs in. */
export async function judgeTask(tx: Tx, ctx: Context, actor: Actor, chatId: number | null, content: string) {
  const chat = chatId === null ? null : await findChatFor(tx, actor, chatId)
  return applyDlpToTask(tx, ctx, actor, chat ?? null, content)
}
