import { words } from '../platform/i18n.js'
import { Empty } from '../ui/empty.js'

export function NotFound() {
  const { common } = words()
  return (
    <Empty icon="search" title={common.notFound} text={common.notFoundHint}>
      <a class="button button-plain" href="/">
        {common.toChats}
      </a>
    </Empty>
  )
}
