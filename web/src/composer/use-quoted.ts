import type { TimelineMessage } from '@parley/contract'
import { effect } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { draftAt } from '../drafts/actions.js'
import type { Place } from '../drafts/state.js'
import { findMessage } from '../messages/actions.js'
import { quoting } from '../messages/quoting.js'
import { call } from '../platform/api.js'

export type Quoted = Pick<TimelineMessage, 'id' | 'user_id' | 'content'>

const isDeleted = (chatId: number, id: number) => Boolean(findMessage(chatId, id)?.deleted_at)

/** The message that the text answers: chosen here just now, or kept with the draft. */
export function useQuoted(place: Place, chat_id: number | null, onChosen: (quoted: Quoted) => void) {
  const [quoted, setQuoted] = useState<Quoted | null>(() => {
    const { parent_message_id: id } = draftAt(place)
    return (id !== null && chat_id !== null && findMessage(chat_id, id)) || null
  })
  // The server takes no answer to a message that was deleted while somebody was writing it.
  useEffect(() => {
    if (!quoted || chat_id === null) return
    return effect(() => {
      if (isDeleted(chat_id, quoted.id)) setQuoted(null)
    })
  }, [quoted, chat_id])

  const chosen = quoting.value
  useEffect(() => {
    if (!chosen || chosen.chat_id !== chat_id) return
    quoting.value = null
    setQuoted(chosen)
    onChosen(chosen)
  }, [chosen])

  /** Shows what the draft answers, which this screen may not have read. */
  async function follow() {
    const { parent_message_id: id } = draftAt(place)
    if (id === (quoted?.id ?? null)) return
    if (id === null || chat_id === null || isDeleted(chat_id, id)) return setQuoted(null)
    const known = findMessage(chat_id, id)
    // Deleted or out of reach: then it is an answer to nothing.
    const read = known ?? (await call('getMessage', { params: { id } }).catch(() => null))?.data ?? null
    if (draftAt(place).parent_message_id === id) setQuoted(read)
  }
  useEffect(() => void follow(), [])

  return { quoted, setQuoted, follow }
}
