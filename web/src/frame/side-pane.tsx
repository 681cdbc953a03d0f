import { useLocation } from 'preact-iso'
import { ThreadPane } from '../threads/thread-pane.js'

/** What the address asks for beside the chat. */
export function SidePane() {
  const { path, query } = useLocation()
  const chatId = Number(/^\/chats\/(\d+)/.exec(path)?.[1])
  if (query.thread) return <ThreadPane key={query.thread} chat_id={chatId} thread_id={Number(query.thread)} />
  return null
}
