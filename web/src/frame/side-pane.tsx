import { ErrorBoundary, lazy, useLocation } from 'preact-iso'
import { idIn } from '../platform/address.js'
import { ThreadPane } from '../threads/thread-pane.js'

const ChatPanel = lazy(() => import('../panel/chat-panel.js').then(({ ChatPanel }) => ChatPanel))

/** What the address asks for beside the chat. */
export function SidePane() {
  const { path, query } = useLocation()
  const chatId = Number(/^\/chats\/(\d+)/.exec(path)?.[1])
  if (query.thread) {
    const reply = idIn(query.reply)
    return (
      <ThreadPane key={query.thread} chat_id={chatId} thread_id={Number(query.thread)} message_id={reply} />
    )
  }
  if (!query.panel) return null
  return (
    <ErrorBoundary>
      <ChatPanel chat_id={chatId} panel={query.panel} />
    </ErrorBoundary>
  )
}
