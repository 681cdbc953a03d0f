import type { QuotedMessage } from '@parley/contract'
import { personAt } from '../people/names.js'
import { words } from '../platform/i18n.js'
import { plainText } from './text.js'
import './quote.css'

/** The message that another one answers; leads to it. */
export function Quote({ quoted, chat_id }: { quoted: QuotedMessage; chat_id: number }) {
  const { messages } = words()
  const text = quoted.deleted
    ? messages.deleted
    : plainText(quoted.content) || messages.files(quoted.files_count)
  return (
    <a class="quote" href={`/chats/${chat_id}?message=${quoted.id}`}>
      <b>{personAt(quoted.user_id).name}</b>
      <span>{text}</span>
    </a>
  )
}
