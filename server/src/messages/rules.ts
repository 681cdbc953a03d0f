import type { ChatFor } from '../chats/queries.js'
import { ARCHIVED, mayDeleteOthersMessages, mayWrite } from '../chats/rules.js'
import type { Actor } from '../platform/actor.js'
import { ALLOW, refuse, type Verdict } from '../platform/problem.js'
import type { MessageRow } from './queries.js'

/** Authors edit what they wrote, while they may still write there; not what was forwarded or spoken. */
export function mayEdit(actor: Actor, chat: ChatFor, message: MessageRow, voice: boolean): Verdict {
  if (message.system) return refuse('message.system')
  if (message.user_id !== actor.user_id) return refuse('message.edit.author', { author: false })
  if (message.forwarding) return refuse('message.edit.forwarded')
  if (voice) return refuse('message.edit.voice')
  return mayWrite(actor, chat)
}

/** Authors delete what they wrote, and those who look after the chat what others did; archived chats stay as they are. */
export function mayDelete(actor: Actor, chat: ChatFor, message: MessageRow): Verdict {
  if (message.system) return refuse('message.system')
  if (message.user_id === actor.user_id) return chat.archived_at ? ARCHIVED : ALLOW
  return mayDeleteOthersMessages(chat)
}
