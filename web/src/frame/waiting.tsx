import { useEffect } from 'preact/hooks'
import { words } from '../platform/i18n.js'
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

/** A list could not be read. Its button goes when it is pressed, and the focus goes to the main part of the screen. */
export function ReadingFailed({ text, onRetry }: { text: string; onRetry(): void }) {
  useEffect(() => () => void requestAnimationFrame(rescueFocus), [])
  return (
    <Empty icon="warn" title={text}>
      <Button onClick={onRetry}>{words().common.retry}</Button>
    </Empty>
  )
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
