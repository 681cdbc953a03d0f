import type { Typing } from '@parley/contract'
import { findChatFor } from '../chats/queries.js'
import { mayWrite } from '../chats/rules.js'
import type { Actor } from '../platform/actor.js'
import type { Context } from '../platform/context.js'
import { keepLast } from '../platform/keep-last.js'
import { ensure, found } from '../platform/problem.js'

const ONCE_IN_MS = 3000

/** Tells every process that somebody is writing, once in three seconds and chat. */
export function createTyping(
  ctx: Pick<Context, 'bell' | 'clock' | 'resets'>,
  tell: (typing: Typing) => void,
) {
  const passed = keepLast<string, number>(10_000)
  ctx.resets.add(() => passed.clear())

  ctx.bell.onNote('typing', (_from, note) => tell(note as Typing))

  return async function startTyping(call: Context, actor: Actor, chatId: number): Promise<void> {
    const key = `${actor.user_id}:${chatId}`
    const now = ctx.clock.now()
    if (now - (passed.get(key) ?? 0) < ONCE_IN_MS) return
    const chat = found(await findChatFor(call.db, actor, chatId), { key: 'id', value: chatId })
    ensure(mayWrite(actor, chat), 'write', { type: 'Chat', id: chat.id })
    passed.set(key, now)
    const typing = { chat_id: chat.id, user_id: actor.user_id }
    tell(typing)
    ctx.bell.pass('typing', typing)
  }
}
