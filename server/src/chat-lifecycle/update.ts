import * as api from '@parley/contract'
import { asCaretaker } from '../chats/caretaker.js'
import { loadChat } from '../chats/load.js'
import { checkName, cleanDescription } from '../chats/name.js'
import { type ChatFor, findDisplayName, lockChatFor, updateChatRow } from '../chats/queries.js'
import { mayUpdateChat } from '../chats/rules.js'
import { postSystemMessage } from '../messages/system.js'
import type { Actor } from '../platform/actor.js'
import { record } from '../platform/audit/record.js'
import type { Context } from '../platform/context.js'
import type { Tx } from '../platform/db/index.js'
import { transaction } from '../platform/db/transaction.js'
import { emit } from '../platform/events/emit.js'
import { ensure, found } from '../platform/problem.js'

type Change = api.BodyOf<typeof api.updateChat>['chat']

/** Renames or describes a chat, opens or closes it; a change of nothing emits no event. */
export function updateChat(ctx: Context, actor: Actor, chatId: number, input: Change): Promise<api.Chat> {
  const asked = { ...input, ...(input.name === undefined ? {} : { name: checkName(input.name) }) }
  return transaction(ctx, async (tx) => {
    const chat = found(await lockChatFor(tx, actor, chatId), { key: 'id', value: chatId })
    const may = mayUpdateChat(actor, chat)
    const caring = chat.archived_at === null && asked.public === undefined
    const verdict = caring ? await asCaretaker(tx, actor, chat, may) : may
    ensure(verdict, 'update', { type: 'Chat', id: chatId })
    const name = asked.name !== undefined && asked.name !== chat.name ? asked.name : undefined
    const open = asked.public !== undefined && asked.public !== chat.public ? asked.public : undefined
    const description =
      asked.description === undefined ? chat.description : cleanDescription(asked.description)
    const described = description !== chat.description
    if (name !== undefined) await rename(tx, ctx, actor, chat, name)
    if (open !== undefined) await setOpen(tx, ctx, actor, chat, open)
    if (described) await updateChatRow(tx, chatId, { description })
    if (name !== undefined || open !== undefined || described)
      await emit(tx, ctx, actor, api.chatUpdated, { chat_id: chatId })
    return loadChat({ ...ctx, db: tx }, actor, chatId)
  })
}

async function rename(tx: Tx, ctx: Context, actor: Actor, chat: ChatFor, name: string) {
  await updateChatRow(tx, chat.id, { name })
  const details = { old_name: chat.name, new_name: name }
  await record(tx, ctx, actor, {
    event_key: 'chat_renamed',
    entity_type: 'Chat',
    entity_id: chat.id,
    details,
  })
  const who = await findDisplayName(tx, actor)
  const content = `${who} renamed the chat to "${name}"`
  await postSystemMessage(tx, ctx, actor, chat.id, { content, kind: 'chat_renamed', name })
}

async function setOpen(tx: Tx, ctx: Context, actor: Actor, chat: ChatFor, open: boolean) {
  await updateChatRow(tx, chat.id, { public: open })
  const about = { event_key: 'chat_permission_changed', entity_type: 'Chat', entity_id: chat.id }
  await record(tx, ctx, actor, { ...about, details: { public_access: open } })
  const who = await findDisplayName(tx, actor)
  const content = `${who} made the chat ${open ? 'open' : 'closed'}`
  const kind = open ? 'chat_opened' : 'chat_closed'
  await postSystemMessage(tx, ctx, actor, chat.id, { content, kind })
}
