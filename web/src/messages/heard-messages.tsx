import type { TimelineMessage } from '@parley/contract'
import { useEffect, useRef, useState } from 'preact/hooks'
import { personAt } from '../people/names.js'
import { words } from '../platform/i18n.js'
import { state } from '../store.js'
import { arrived, createSpeech } from './spoken.js'
import type { Run } from './state.js'
import { plainText } from './text.js'

/** A long text is read in the timeline. */
const CHARACTERS_AT_MOST = 300

interface HeardMessagesProps {
  run: Run | undefined
  /** Whether the reader is near the newest message. */
  isNear: boolean
}

/** Tells screen readers what others write: of a virtual list they cannot know which rows are new. */
export function HeardMessages({ run, isNear }: HeardMessagesProps) {
  const [said, setSaid] = useState<readonly TimelineMessage[]>([])
  const [speech] = useState(() => createSpeech(setSaid))
  const before = useRef(run)
  const me = state.session.value?.user.id ?? 0
  useEffect(() => speech.close, [])
  useEffect(() => {
    if (isNear && !document.hidden) speech.add(arrived(before.current, run, me))
    before.current = run
  }, [run])
  return (
    <div class="only-heard" aria-live="polite">
      {/* The same words once more are another element: else they would be no change. */}
      {said.length > 0 && <p key={said.at(-1)?.id}>{textOf(said)}</p>}
    </div>
  )
}

function textOf(said: readonly TimelineMessage[]): string {
  const { messages, media } = words()
  const [one, another] = said
  if (!one) return ''
  if (another) return messages.newMessages(said.length)
  const name = one.display_name || personAt(one.user_id).name
  const files = one.voice_content ? media.voice : messages.files(one.files.length)
  const text = plainText(one.content) || files
  return `${name}: ${text.length > CHARACTERS_AT_MOST ? `${text.slice(0, CHARACTERS_AT_MOST)}…` : text}`
}
