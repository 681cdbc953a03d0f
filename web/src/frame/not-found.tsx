import { words } from '../platform/i18n.js'
import { Empty } from '../ui/empty.js'
import './page.css'

export function NotFound() {
  const { common } = words()
  return (
    <main class="page">
      <Empty icon="search" level={1} title={common.notFound} text={common.notFoundHint}>
        <a class="button button-plain" href="/">
          {common.toChats}
        </a>
      </Empty>
    </main>
  )
}
