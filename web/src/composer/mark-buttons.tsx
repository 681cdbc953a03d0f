import { words } from '../platform/i18n.js'
import { ToolButton } from '../ui/button.js'
import type { Mark } from './marks.js'

const MARKS: readonly Mark[] = ['bold', 'italic', 'strike', 'link', 'code', 'list']

export function MarkButtons({ onMark }: { onMark(mark: Mark): void }) {
  const { composer } = words()
  return (
    <span class="composer-marks only-wide">
      <span class="toolbar-line" aria-hidden="true" />
      {MARKS.map((mark) => (
        <ToolButton key={mark} icon={mark} label={composer.marks[mark]} onClick={() => onMark(mark)} />
      ))}
    </span>
  )
}
