import { useState } from 'preact/hooks'
import { discardDraft, draftAt } from '../drafts/actions.js'
import type { Place } from '../drafts/state.js'
import { attempt } from '../frame/attempt.js'
import { copy } from '../frame/copy.js'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import './left-text.css'

/** A text that was being written where one cannot write any more: it can be taken elsewhere. */
export function LeftText({ place }: { place: Place }) {
  const [content, setContent] = useState(() => draftAt(place).content)
  const { chats, common } = words()
  if (content === '') return null
  async function discard() {
    if (await attempt(() => discardDraft(place))) setContent('')
  }
  return (
    <section class="left-text" aria-label={chats.leftText}>
      <h3>{chats.leftText}</h3>
      <p class="left-text-content scroll">{content}</p>
      <div class="left-text-actions">
        <Button onClick={() => void copy(content)}>{common.copy}</Button>
        <Button onClick={() => void discard()}>{common.delete}</Button>
      </div>
    </section>
  )
}
