import { useState } from 'preact/hooks'
import { words } from '../platform/i18n.js'
import './transcript.css'

const SHOWN_AT_MOST = 400

/** What is said in a voice message; a long text is cut until the reader asks for the rest. */
export function Transcript({ text }: { text: string }) {
  const [whole, setWhole] = useState(false)
  const { media, common } = words()
  const long = text.length > SHOWN_AT_MOST
  const shown = long && !whole ? `${text.slice(0, SHOWN_AT_MOST).replace(/\s+\S*$/, '')}…` : text
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form
    <div class="transcript" role="group" aria-label={media.transcript}>
      <p dir="auto">{shown}</p>
      {long && (
        <button
          type="button"
          class="button button-plain"
          aria-expanded={whole}
          onClick={() => setWhole(!whole)}
        >
          {whole ? media.showLess : common.showMore}
        </button>
      )}
    </div>
  )
}
