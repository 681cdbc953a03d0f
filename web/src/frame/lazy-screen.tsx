import { lazy } from 'preact-iso'
import { words } from '../platform/i18n.js'
import { Button } from '../ui/button.js'
import { Empty } from '../ui/empty.js'
import './page.css'

const AGAIN_AFTER_MS = 1000

const pause = () => new Promise((done) => setTimeout(done, AGAIN_AFTER_MS))

/**
 * A screen whose code is loaded when it is opened first. Where there is no connection, or a newer server does not have the
 * code of this build any more, it says so: else nothing would be shown.
 */
export function lazyScreen<T>(load: () => Promise<T>): T {
  const loaded = () => load().catch(() => pause().then(load))
  return lazy(() => loaded().catch(() => NotLoaded as T))
}

function NotLoaded() {
  const { common } = words()
  return (
    <main class="page">
      <Empty icon="retry" level={1} title={common.notLoaded} text={common.notLoadedHint}>
        <Button onClick={() => location.reload()}>{common.reload}</Button>
      </Empty>
    </main>
  )
}
