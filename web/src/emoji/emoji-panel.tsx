import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { words } from '../platform/i18n.js'
import { useAutofocus } from '../ui/use-autofocus.js'
import { type Emoji, findEmoji } from './find.js'
import { loadEmoji } from './load.js'

const COLUMNS = 9
const FOUND_AT_MOST = 180

/** Arrows walk over the grid. */
function onKeyDown(event: KeyboardEvent) {
  const cells = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.emoji')]
  const at = cells.indexOf(document.activeElement as HTMLElement)
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: COLUMNS, ArrowUp: -COLUMNS }[event.key]
  if (step === undefined || (at < 0 && event.key !== 'ArrowDown')) return
  event.preventDefault()
  cells[at < 0 ? 0 : Math.max(0, Math.min(cells.length - 1, at + step))]?.focus()
}

export function EmojiPanel({ onChoose }: { onChoose(emoji: string): void }) {
  const [all, setAll] = useState<readonly Emoji[]>([])
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  useAutofocus(field)
  useEffect(() => void loadEmoji().then(setAll), [])
  const found = useMemo(() => {
    if (text.trim() === '') return all
    return findEmoji(all, text).slice(0, FOUND_AT_MOST)
  }, [all, text])
  const say = words().emoji
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of the buttons inside are read here.
    <div class="emoji-panel" onKeyDown={onKeyDown}>
      <input
        ref={field}
        class="input"
        type="search"
        aria-label={say.search}
        placeholder={say.search}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          const first = found[0]
          if (event.key !== 'Enter' || !first || event.isComposing) return
          // Else the key would press the button that the focus goes back to.
          event.preventDefault()
          onChoose(first[0])
        }}
      />
      <div class="emoji-grid scroll">
        {found.map(([char, name], index) => (
          <button
            key={char}
            type="button"
            class="emoji"
            aria-label={name}
            title={name}
            tabIndex={index === 0 ? 0 : -1}
            onClick={() => onChoose(char)}
          >
            {char}
          </button>
        ))}
        {all.length > 0 && found.length === 0 && <p class="emoji-none">{words().common.nothingFound}</p>}
      </div>
    </div>
  )
}
