import { pathOf } from '../platform/api.js'
import { words } from '../platform/i18n.js'
import { Empty } from '../ui/empty.js'
import './page.css'

/** Where the letter about a finished export leads. */
export function ExportRoute({ id }: { id: string }) {
  const { common, messages } = words()
  return (
    <main class="page">
      <Empty icon="file" level={1} title={common.exported} text={common.exportedHint}>
        <a class="button button-main" href={pathOf('downloadExport', { id })[1]} download>
          {messages.download}
        </a>
      </Empty>
    </main>
  )
}
