import { words } from '../platform/i18n.js'
import { Empty } from '../ui/empty.js'
import type { IconName } from '../ui/icon.js'
import './page.css'

export function NotFound() {
  const { common } = words()
  return <Nothing icon="search" title={common.notFound} text={common.notFoundHint} />
}

/** A page that is for others. */
export function NotAllowed() {
  return <Nothing icon="warn" title={words().common.notForYou} />
}

function Nothing(about: { icon: IconName; title: string; text?: string }) {
  const { common } = words()
  return (
    <main class="page">
      <Empty {...about} level={1}>
        <a class="button button-plain" href="/">
          {common.toChats}
        </a>
      </Empty>
    </main>
  )
}
