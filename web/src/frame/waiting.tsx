import { useEffect } from 'preact/hooks'
import { words } from '../platform/i18n.js'
import type { Pages } from '../platform/use-pages.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import { rescueFocus } from '../ui/modal.js'

/** While a list is being read. */
export function Reading() {
  return (
    <div class="page-wait" role="status" aria-label={words().common.loading}>
      <span class="spinner" />
    </div>
  )
}

interface ReadingFailedProps {
  text: string
  /** Null where asking again does not help. */
  onRetry: (() => void) | null
}

/** A list could not be read. Its button goes when it is pressed, and the focus goes to the main part of the screen. */
export function ReadingFailed({ text, onRetry }: ReadingFailedProps) {
  useEffect(() => () => void requestAnimationFrame(rescueFocus), [])
  return (
    <Empty icon="warn" title={text}>
      {onRetry && <Button onClick={onRetry}>{words().common.retry}</Button>}
    </Empty>
  )
}

interface NotReadProps {
  isMissing: boolean
  failure: string | null
  again(): void
}

/** In place of what is not read yet: that it is being read, or why it could not be. */
export function NotRead({ isMissing, failure, again }: NotReadProps) {
  if (isMissing) return <Empty icon="warn" title={words().common.notAllowed} />
  return failure === null ? <Reading /> : <ReadingFailed text={failure} onRetry={again} />
}

/** The next page of a list. */
export function MoreButton({ busy, onMore }: { busy: boolean; onMore(): void }) {
  return (
    <div class="page-more">
      <Button busy={busy} onClick={onMore}>
        {words().common.showMore}
      </Button>
    </div>
  )
}

/** Below a list that is read page by page: its next page, that it is being read, or why it could not be. */
export function ListEnd({ items, error, refused, busy, more, again }: Pages<unknown>) {
  if (error !== null)
    return (
      <div role="alert">
        <ReadingFailed text={error} onRetry={refused ? null : again} />
      </div>
    )
  if (items === null) return <Reading />
  return more && <MoreButton busy={busy} onMore={more} />
}
