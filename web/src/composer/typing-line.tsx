import { useEffect, useState } from 'preact/hooks'
import { listNames } from '../people/names.js'
import { call } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'

const HOLDS_MS = 6000
const TOLD_EVERY_MS = 3000

const told = new Map<number, number>()

/** Tells the others that something is being written, no more often than they need it. */
export function noteTyping(chatId: number) {
  const now = Date.now()
  if (now - (told.get(chatId) ?? 0) < TOLD_EVERY_MS) return
  told.set(chatId, now)
  void call('sendTyping', { params: { id: chatId } }).catch(() => {})
}

/** Who is writing here. */
export function TypingLine({ chat_id }: { chat_id: number | null }) {
  const [now, setNow] = useState(Date.now)
  const there = chat_id === null ? undefined : state.typing.value.get(chat_id)
  const ids = [...(there ?? [])].filter(([, since]) => now - since < HOLDS_MS).map(([id]) => id)
  useEffect(() => {
    setNow(Date.now())
    if (!there || there.size === 0) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [there])
  return (
    <div class="typing" aria-live="polite">
      {ids.length > 0 && (
        <>
          <span class="typing-dots" aria-hidden="true">
            <i />
            <i />
            <i />
          </span>
          {words().composer.typing(listNames(ids), ids.length)}
        </>
      )}
    </div>
  )
}
